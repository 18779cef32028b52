{{- define "sluice.n8nImage" -}}
{{- $image := .Values.app.image -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $image.repository $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $image.repository (toString $image.tag) -}}
{{- end -}}
{{- end -}}

{{- define "sluice.n8nClaim" -}}
{{- .Values.app.persistence.existingClaim | default (printf "%s-data" (include "sluice.fullname" .)) -}}
{{- end -}}

{{- define "sluice.n8nContainer" -}}
{{- $env := deepCopy (.Values.app.env | default dict) -}}
{{- if include "sluice.hooked" . -}}
{{- $_ := set $env "TOOLS_SHARED_PATH" "/tmp/tools" -}}
{{- /* Hook files of yours stay. */ -}}
{{- $_ := set $env "EXTERNAL_HOOK_FILES" (list (get $env "EXTERNAL_HOOK_FILES") "/tmp/tools/sluice-hook.js" | compact | join (get $env "EXTERNAL_HOOK_FILES_SEPARATOR" | default ":")) -}}
{{- end -}}
- name: n8n
  image: {{ include "sluice.n8nImage" . | quote }}
  imagePullPolicy: {{ .Values.app.image.pullPolicy }}
  ports: [{ name: http, containerPort: 5678, protocol: TCP }]
  {{- if or $env .Values.app.encryptionKey.existingSecret .Values.app.extraEnv }}
  env:
    {{- range $name, $value := $env }}
    - { name: {{ $name }}, value: {{ toString $value | quote }} }
    {{- end }}
    {{- with .Values.app.encryptionKey }}
    {{- if .existingSecret }}
    {{- include "sluice.fromSecret" (dict "name" "N8N_ENCRYPTION_KEY" "secret" .existingSecret "key" .key) | nindent 4 }}
    {{- end }}
    {{- end }}
    {{- with .Values.app.extraEnv }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- end }}
  {{- with .Values.app.envFrom }}
  envFrom:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  # A new version of n8n may migrate its database for minutes.
  startupProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 5, failureThreshold: 120 }
  livenessProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 30, timeoutSeconds: 5 }
  readinessProbe: { httpGet: { path: /healthz/readiness, port: http }, periodSeconds: 10, timeoutSeconds: 5 }
  resources:
    {{- toYaml .Values.app.resources | nindent 4 }}
  securityContext:
    # n8n writes into its own file system.
    {{- include "sluice.containerSecurity" false | nindent 4 }}
  volumeMounts:
    - { name: n8n-data, mountPath: /home/node/.n8n }
    - { name: tools-shared, mountPath: /tmp/tools }
{{- end -}}

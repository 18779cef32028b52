{{- /* Whether n8n loads Sluice's hook, which also writes the shared file. */ -}}
{{- define "sluice.hooked" -}}
{{- if and .Values.mcp.enabled (ne .Values.mcp.discovery.method "api") }}true{{ end -}}
{{- end -}}

{{- /* Writes the hook before n8n starts, with the secret that Sluice keeps in its store. */ -}}
{{- define "sluice.hookContainer" -}}
- name: hook
  image: {{ include "sluice.image" . | quote }}
  imagePullPolicy: {{ include "sluice.pullPolicy" . }}
  args: [n8n, hook, --out, /tmp/tools/sluice-hook.js, --url, "http://127.0.0.1:8080"]
  workingDir: /config
  env:
    {{- include "sluice.storeEnv" . | nindent 4 }}
    {{- with .Values.env }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .Values.envFrom }}
  envFrom:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  resources:
    {{- toYaml (.Values.mcp.resources | default .Values.resources) | nindent 4 }}
  securityContext:
    {{- include "sluice.containerSecurity" true | nindent 4 }}
  volumeMounts:
    {{- include "sluice.mounts" . | nindent 4 }}
    - { name: tools-shared, mountPath: /tmp/tools }
    {{- with .Values.extraVolumeMounts }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}

{{- define "sluice.mcpContainer" -}}
{{- $mcp := .Values.mcp -}}
- name: mcp-server
  image: {{ include "sluice.image" . | quote }}
  imagePullPolicy: {{ include "sluice.pullPolicy" . }}
  workingDir: /config
  ports: [{ name: mcp, containerPort: 8080, protocol: TCP }]
  env:
    {{- include "sluice.env" . | nindent 4 }}
    - { name: LOG_LEVEL, value: {{ $mcp.logLevel | default .Values.logLevel }} }
    - { name: N8N_INTERNAL_URL, value: "http://127.0.0.1:5678" }
    {{- include "sluice.fromSecret" (dict "name" "MCP_AUTH_TOKEN" "secret" $mcp.auth.secretName "key" $mcp.auth.secretKey) | nindent 4 }}
    {{- with $mcp.n8n.owner }}
    {{- if .existingSecret }}
    {{- include "sluice.fromSecret" (dict "name" "N8N_OWNER_EMAIL" "secret" .existingSecret "key" .emailKey) | nindent 4 }}
    {{- include "sluice.fromSecret" (dict "name" "N8N_OWNER_PASSWORD" "secret" .existingSecret "key" .passwordKey) | nindent 4 }}
    {{- end }}
    {{- end }}
    {{- with $mcp.n8n.apiKey }}
    {{- if .existingSecret }}
    {{- include "sluice.fromSecret" (dict "name" "N8N_API_KEY" "secret" .existingSecret "key" .key) | nindent 4 }}
    {{- end }}
    {{- end }}
    {{- if include "sluice.hooked" . }}
    - { name: TOOLS_SHARED_PATH, value: /tmp/tools }
    {{- end }}
    - { name: SLUICE_BRIDGE_DISCOVERY, value: {{ $mcp.discovery.method }} }
    - { name: SLUICE_BRIDGE_POLL, value: {{ $mcp.discovery.refreshInterval | quote }} }
    - { name: SLUICE_BRIDGE_APPLY, value: {{ $mcp.apply }} }
    {{- with $mcp.aiTools }}
    - { name: SLUICE_BRIDGE_AI_TOOLS, value: {{ join "," . | quote }} }
    {{- end }}
    {{- with .Values.env }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .Values.envFrom }}
  envFrom:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  livenessProbe: { httpGet: { path: /health, port: mcp }, initialDelaySeconds: 10, periodSeconds: 30, timeoutSeconds: 5 }
  readinessProbe: { httpGet: { path: /ready, port: mcp }, initialDelaySeconds: 5, periodSeconds: 10, timeoutSeconds: 5 }
  resources:
    {{- toYaml ($mcp.resources | default .Values.resources) | nindent 4 }}
  securityContext:
    {{- include "sluice.containerSecurity" true | nindent 4 }}
  volumeMounts:
    {{- include "sluice.mounts" . | nindent 4 }}
    - { name: tools-shared, mountPath: /tmp/tools }
    {{- with .Values.extraVolumeMounts }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}

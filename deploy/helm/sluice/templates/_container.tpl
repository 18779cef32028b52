{{- define "sluice.image" -}}
{{- $own := ternary .Values.mcp.image dict (eq .Values.mode "sidecar") -}}
{{- $repository := $own.repository | default .Values.image.repository -}}
{{- if and .Values.image.digest (not $own.repository) (not $own.tag) -}}
{{- printf "%s@%s" $repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" $repository (toString ($own.tag | default .Values.image.tag | default .Chart.AppVersion)) -}}
{{- end -}}
{{- end -}}

{{- define "sluice.pullPolicy" -}}
{{- $own := ternary .Values.mcp.image dict (eq .Values.mode "sidecar") -}}
{{- $own.pullPolicy | default .Values.image.pullPolicy -}}
{{- end -}}

{{- /* The user of both images: the hook file is readable by its owner only. */ -}}
{{- define "sluice.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "sluice.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: {{ . }}
capabilities: { drop: [ALL] }
{{- end -}}

{{- /* One variable from a Secret. */ -}}
{{- define "sluice.fromSecret" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ .secret | quote }}, key: {{ .key | quote }} } }
{{- end -}}

{{- /* What every command of Sluice needs: where its data is, and what opens it. Kubernetes opens a volume to a group; the folder in
     it is for Sluice's user only. */ -}}
{{- define "sluice.storeEnv" -}}
- { name: SLUICE_HOME, value: /data/sluice }
- { name: SLUICE_CACHE, value: /data/cache }
{{- if or .Values.store.existingSecret .Values.store.value }}
{{ include "sluice.fromSecret" (dict "name" "SLUICE_STORE" "secret" (include "sluice.secretName" (dict "root" . "secret" .Values.store)) "key" .Values.store.key) }}
{{- end }}
{{- if or .Values.secretKey.existingSecret .Values.secretKey.value }}
- { name: SLUICE_SECRET_KEY_FILE, value: /run/secrets/sluice/key }
{{- end }}
{{- end -}}

{{- define "sluice.env" -}}
{{ include "sluice.storeEnv" . }}
- { name: SLUICE_HOST, value: 0.0.0.0 }
- { name: PORT, value: {{ include "sluice.containerPort" . | quote }} }
- name: POD_IP
  valueFrom: { fieldRef: { fieldPath: status.podIP } }
- { name: SLUICE_ALLOWED_HOSTS, value: {{ include "sluice.hosts" . | quote }} }
{{- with .Values.publicUrl }}
- { name: SLUICE_PUBLIC_URL, value: {{ . | quote }} }
{{- end }}
{{- with .Values.allowedOrigins }}
- { name: ALLOWED_ORIGINS, value: {{ join "," . | quote }} }
{{- end }}
- { name: LOG_FORMAT, value: {{ .Values.logFormat }} }
{{- end -}}

{{- define "sluice.containerPort" -}}
{{- if include "sluice.sidecar" . }}8080{{ else }}3500{{ end -}}
{{- end -}}

{{- define "sluice.mounts" -}}
- { name: config, mountPath: /config, readOnly: true }
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
{{- if or .Values.secretKey.existingSecret .Values.secretKey.value }}
- { name: secret-key, mountPath: /run/secrets/sluice, readOnly: true }
{{- end }}
{{- end -}}

{{- /* A directory is mounted, not a file: only then do changes of the ConfigMap reach a running pod. */ -}}
{{- define "sluice.volumes" -}}
- name: config
  configMap: { name: {{ include "sluice.fullname" . }} }
- name: tmp
  emptyDir: {}
{{- if or .Values.secretKey.existingSecret .Values.secretKey.value }}
- name: secret-key
  secret:
    secretName: {{ include "sluice.secretName" (dict "root" . "secret" .Values.secretKey) }}
    items: [{ key: {{ .Values.secretKey.key | quote }}, path: key }]
{{- end }}
- name: data
{{- if include "sluice.claim" . }}
  persistentVolumeClaim: { claimName: {{ include "sluice.claim" . }} }
{{- else }}
  emptyDir: {}
{{- end }}
{{- end -}}

{{- /* The claim of Sluice's data. With PostgreSQL nothing has to last. */ -}}
{{- define "sluice.claim" -}}
{{- if and .Values.persistence.enabled (not .Values.store.existingSecret) (not .Values.store.value) -}}
{{- .Values.persistence.existingClaim | default (printf "%s-data" (include "sluice.serviceName" .)) -}}
{{- end -}}
{{- end -}}

{{- define "sluice.newClaim" -}}
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {{ .name }}
  labels:
    {{- include "sluice.labels" .root | nindent 4 }}
  annotations:
    # keep: uninstalling the chart does not delete the data.
    {{- toYaml (merge (deepCopy (.persistence.annotations | default dict)) (dict "helm.sh/resource-policy" "keep")) | nindent 4 }}
spec:
  accessModes:
    {{- toYaml .persistence.accessModes | nindent 4 }}
  {{- with .persistence.storageClass }}
  storageClassName: {{ . | quote }}
  {{- end }}
  resources: { requests: { storage: {{ .persistence.size | quote }} } }
{{- end -}}

{{- /* What the pods of both shapes share, below their containers. */ -}}
{{- define "sluice.placement" -}}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.topologySpreadConstraints }}
topologySpreadConstraints:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{- define "sluice.podMetadata" -}}
labels:
  {{- toYaml (merge (include "sluice.labels" . | fromYaml) (.Values.podLabels | default dict)) | nindent 2 }}
{{- with .Values.podAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "sluice.podHead" -}}
serviceAccountName: {{ include "sluice.serviceAccountName" . }}
automountServiceAccountToken: false
# Variables that Kubernetes makes of Services, such as N8N_PORT, would be read as settings.
enableServiceLinks: false
terminationGracePeriodSeconds: {{ int .Values.terminationGracePeriodSeconds }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  {{- include "sluice.podSecurity" . | nindent 2 }}
{{- end -}}

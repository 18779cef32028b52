{{- define "sluice.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "sluice.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "sluice.name" . -}}
{{- $release := .Release.Name -}}
{{- (contains $name $release | ternary $release (printf "%s-%s" $release $name)) | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "sluice.sidecar" -}}
{{- if eq .Values.mode "sidecar" }}true{{ end -}}
{{- end -}}

{{- /* Whether there is a Sluice: n8n can run without. */ -}}
{{- define "sluice.runs" -}}
{{- if or (ne .Values.mode "sidecar") .Values.mcp.enabled }}true{{ end -}}
{{- end -}}

{{- /* More than one replica, now or when the autoscaler says so. */ -}}
{{- define "sluice.several" -}}
{{- if .Values.autoscaling.enabled -}}
{{- if gt (int .Values.autoscaling.maxReplicas) 1 }}true{{ end -}}
{{- else if gt (int .Values.replicas) 1 }}true{{ end -}}
{{- end -}}

{{- /* The Service through which clients reach Sluice. */ -}}
{{- define "sluice.serviceName" -}}
{{- include "sluice.fullname" . }}{{ if include "sluice.sidecar" . }}-mcp{{ end -}}
{{- end -}}

{{- define "sluice.servicePort" -}}
{{- if include "sluice.sidecar" . }}8080{{ else }}{{ int .Values.service.port }}{{ end -}}
{{- end -}}

{{- define "sluice.component" -}}
{{- if include "sluice.sidecar" . }}mcp-server{{ else }}gateway{{ end -}}
{{- end -}}

{{- define "sluice.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "sluice.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{- define "sluice.selectorLabels" -}}
app.kubernetes.io/name: {{ include "sluice.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: {{ include "sluice.component" . }}
{{- end -}}

{{- define "sluice.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "sluice.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- /* The Secret of { existingSecret, value }: yours, or the chart's. */ -}}
{{- define "sluice.secretName" -}}
{{- .secret.existingSecret | default (include "sluice.fullname" .root) -}}
{{- end -}}

{{- /* Every name by which the Service, the Ingress and the HTTPRoute are called; others get a 403. */ -}}
{{- define "sluice.hosts" -}}
{{- $service := include "sluice.serviceName" . -}}
{{- $inside := printf "%s.%s" $service .Release.Namespace -}}
{{- $hosts := list $service $inside (printf "%s.svc" $inside) (printf "%s.svc.%s" $inside .Values.clusterDomain) -}}
{{- if .Values.ingress.enabled }}{{ $hosts = concat $hosts .Values.ingress.hosts }}{{ end -}}
{{- if .Values.httpRoute.enabled }}{{ $hosts = concat $hosts .Values.httpRoute.hostnames }}{{ end -}}
{{- concat $hosts .Values.allowedHosts | uniq | join "," -}}
{{- end -}}

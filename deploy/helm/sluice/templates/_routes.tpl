{{- /* { root, name, route, service, port } */ -}}
{{- define "sluice.ingress" -}}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ .name }}
  labels:
    {{- include "sluice.labels" .root | nindent 4 }}
  {{- with .route.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with .route.className }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- if .route.tls.secretName }}
  tls:
    - secretName: {{ .route.tls.secretName }}
      hosts:
        {{- toYaml .route.hosts | nindent 8 }}
  {{- end }}
  rules:
    {{- range .route.hosts }}
    - host: {{ . | quote }}
      http:
        paths:
          - path: {{ $.route.path | quote }}
            pathType: Prefix
            backend: { service: { name: {{ $.service }}, port: { number: {{ $.port }} } } }
    {{- end }}
{{- end -}}

{{- define "sluice.httpRoute" -}}
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: {{ .name }}
  labels:
    {{- include "sluice.labels" .root | nindent 4 }}
  {{- with .route.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  parentRefs:
    {{- toYaml .route.parentRefs | nindent 4 }}
  {{- with .route.hostnames }}
  hostnames:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  rules:
    - backendRefs: [{ name: {{ .service }}, port: {{ .port }} }]
      {{- with .route.timeouts }}
      timeouts:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end -}}

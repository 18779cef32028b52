{{- /* sluice.yaml: your config, with authentication on. */ -}}
{{- define "sluice.config" -}}
{{- $config := deepCopy (.Values.config | default dict) -}}
{{- $auth := $config.auth | default dict -}}
{{- if not $auth.mode }}{{ $_ := set $config "auth" (merge (dict "mode" "keys") $auth) }}{{ end -}}
{{- if .Values.metrics.public }}{{ $_ := set $config "metrics" (merge (dict "public" true) ($config.metrics | default dict)) }}{{ end -}}
{{- toYaml $config -}}
{{- end -}}

{{- /* Where config holds a secret in clear, one path a line. A ConfigMap is not the place for it. */ -}}
{{- define "sluice.secretsInConfig" -}}
{{- $path := .path -}}
{{- if kindIs "map" .value -}}
{{- range $key, $value := .value -}}
{{- $named := regexMatch "(?i)^(.*[_-])?(password|passwd|token|secret|api[_-]?key|authorization)$" $key -}}
{{- if and (kindIs "string" $value) $named $value (not (contains "${" $value)) }}
{{ $path }}.{{ $key }}
{{- else }}
{{- include "sluice.secretsInConfig" (dict "path" (printf "%s.%s" $path $key) "value" $value) -}}
{{- end -}}
{{- end -}}
{{- else if kindIs "slice" .value -}}
{{- range $index, $value := .value -}}
{{- include "sluice.secretsInConfig" (dict "path" (printf "%s.%d" $path $index) "value" $value) -}}
{{- end -}}
{{- else if kindIs "string" .value -}}
{{- if regexMatch "://[^/@\\s:]*:[^/@\\s$]+@" .value }}
{{ $path }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* Values that would not work, or not safely. All of them at once. */ -}}
{{- define "sluice.checks" -}}
{{- $found := concat
  (include "sluice.checks.mode" . | fromJsonArray)
  (include "sluice.checks.config" . | fromJsonArray)
  (include "sluice.checks.network" . | fromJsonArray) -}}
{{- if $found -}}
{{- fail (printf "\n\n%s\n" ($found | join "\n\n")) -}}
{{- end -}}
{{- end -}}

{{- define "sluice.checks.mode" -}}
{{- $found := list -}}
{{- if eq .Values.mode "standalone" -}}
{{- $found = include "sluice.checks.standalone" . | fromJsonArray -}}
{{- else if eq .Values.mode "sidecar" -}}
{{- $found = include "sluice.checks.sidecar" . | fromJsonArray -}}
{{- else -}}
{{- $found = append $found (printf "mode is %q. Set it to standalone (Sluice by itself) or sidecar (n8n and Sluice in one pod)." (toString .Values.mode)) -}}
{{- end -}}
{{- toJson $found -}}
{{- end -}}

{{- define "sluice.checks.standalone" -}}
{{- $found := list -}}
{{- $many := ternary (printf "autoscaling.maxReplicas is %d" (int .Values.autoscaling.maxReplicas)) (printf "replicas is %d" (int .Values.replicas)) .Values.autoscaling.enabled -}}
{{- $postgres := or .Values.store.existingSecret .Values.store.value -}}
{{- $key := or .Values.secretKey.existingSecret .Values.secretKey.value -}}
{{- if include "sluice.several" . -}}
{{- if not $postgres -}}
{{- $found = append $found (printf "%s, but Sluice stores its data in SQLite, a file that only one replica can use. Set store.existingSecret to a Secret with the URL of a PostgreSQL, or run one replica." $many) -}}
{{- end -}}
{{- if not $key -}}
{{- $found = append $found (printf "%s, but secretKey is not set, and the replicas could not read each other's secrets. Set secretKey.existingSecret to a Secret with a key of at least 32 characters: openssl rand -hex 32." $many) -}}
{{- end -}}
{{- else if and $postgres (not $key) -}}
{{- $found = append $found "store is PostgreSQL, but secretKey is not set, and every new pod would make a key that opens nothing. Set secretKey.existingSecret to a Secret with a key of at least 32 characters: openssl rand -hex 32." -}}
{{- end -}}
{{- if and .Values.autoscaling.enabled (gt (int .Values.autoscaling.minReplicas) (int .Values.autoscaling.maxReplicas)) -}}
{{- $found = append $found (printf "autoscaling.minReplicas is %d, but maxReplicas is %d. Raise maxReplicas." (int .Values.autoscaling.minReplicas) (int .Values.autoscaling.maxReplicas)) -}}
{{- end -}}
{{- with .Values.token.value -}}
{{- if lt (len .) 16 }}{{ $found = append $found "token.value has fewer than 16 characters. Create one with: openssl rand -hex 32" }}{{ end -}}
{{- end -}}
{{- toJson $found -}}
{{- end -}}

{{- define "sluice.checks.sidecar" -}}
{{- $found := list -}}
{{- if or (gt (int .Values.replicas) 1) .Values.autoscaling.enabled -}}
{{- $found = append $found "replicas and autoscaling are for mode standalone: in mode sidecar there is one pod, because n8n runs once. Remove them." -}}
{{- end -}}
{{- if and .Values.mcp.enabled (not .Values.mcp.auth.enabled) -}}
{{- $found = append $found (printf "mcp.auth.enabled is false. Then everybody who reaches port 8080 could run the tools of your n8n, with its credentials. Leave it true, and create the Secret with the token:\n  kubectl create secret generic %s --namespace %s --from-literal=%s=\"$(openssl rand -hex 32)\"" (.Values.mcp.auth.secretName | default "mcp-auth-token") .Release.Namespace .Values.mcp.auth.secretKey) -}}
{{- end -}}
{{- if and .Values.mcp.enabled .Values.mcp.auth.enabled (not .Values.mcp.auth.secretName) -}}
{{- $found = append $found "mcp.auth.secretName is empty. Name the Secret with the token that agents send, such as mcp-auth-token." -}}
{{- end -}}
{{- with .Values.mcp.auth.token -}}
{{- if lt (len .) 16 }}{{ $found = append $found "mcp.auth.token has fewer than 16 characters. Create one with: openssl rand -hex 32" }}{{ end -}}
{{- end -}}
{{- if or .Values.token.existingSecret .Values.token.value -}}
{{- $found = append $found "token is for mode standalone. In mode sidecar the token is in the Secret that mcp.auth.secretName names." -}}
{{- end -}}
{{- if not (or .Values.app.persistence.enabled .Values.app.encryptionKey.existingSecret) -}}
{{- $found = append $found "app.persistence.enabled is false and app.encryptionKey is not set: every new pod of n8n would make another key, and could not read its credentials. Set app.encryptionKey.existingSecret, or keep the volume." -}}
{{- end -}}
{{- $env := .Values.app.env | default dict -}}
{{- $port := get $env "N8N_PORT" | toString -}}
{{- if and (hasKey $env "N8N_PORT") (ne $port "5678") -}}
{{- $found = append $found (printf "app.env.N8N_PORT is %s. n8n listens on 5678 here; app.service.port is the port of its Service." $port) -}}
{{- end -}}
{{- if and (or .Values.store.existingSecret .Values.store.value) (not (or .Values.secretKey.existingSecret .Values.secretKey.value)) -}}
{{- $found = append $found "store is PostgreSQL, but secretKey is not set, and every new pod would make a key that opens nothing. Set secretKey.existingSecret to a Secret with a key of at least 32 characters: openssl rand -hex 32." -}}
{{- end -}}
{{- toJson $found -}}
{{- end -}}

{{- define "sluice.checks.config" -}}
{{- $found := list -}}
{{- $config := .Values.config | default dict -}}
{{- $auth := $config.auth | default dict -}}
{{- if eq (toString $auth.mode) "none" -}}
{{- $found = append $found "config.auth.mode is none. Sluice serves a network only with authentication: otherwise everybody in the cluster could call every tool. Set it to keys, oauth or both, or leave it out." -}}
{{- end -}}
{{- if and $auth.mode (not (has (toString $auth.mode) (list "keys" "none"))) (not .Values.publicUrl) -}}
{{- $found = append $found "config.auth.mode signs people in, which needs the address that they use. Set publicUrl, such as https://mcp.example.com." -}}
{{- end -}}
{{- $server := $config.server | default dict -}}
{{- range $key, $value := dict "host" "nothing: the pod listens on all its addresses" "port" "service.port" "publicUrl" "publicUrl" "allowedHosts" "allowedHosts" "allowedOrigins" "allowedOrigins" "peerUrl" "nothing: replicas use the address of their pod" -}}
{{- if hasKey $server $key }}{{ $found = append $found (printf "config.server.%s would override what the chart sets. Instead of it, set %s." $key $value) }}{{ end -}}
{{- end -}}
{{- range $key, $value := dict "store" "store.existingSecret" "logLevel" "logLevel" "logFormat" "logFormat" -}}
{{- if hasKey $config $key }}{{ $found = append $found (printf "config.%s would override what the chart sets. Instead of it, set %s." $key $value) }}{{ end -}}
{{- end -}}
{{- range include "sluice.secretsInConfig" (dict "path" "config" "value" $config) | splitList "\n" | compact -}}
{{- $found = append $found (printf "%s holds a secret, and config becomes a ConfigMap that many can read. Write ${NAME} there, and set NAME with env or envFrom from a Secret." .) -}}
{{- end -}}
{{- with .Values.store.value -}}
{{- if not (regexMatch "^postgres(ql)?://" .) }}{{ $found = append $found "store.value is not the URL of a PostgreSQL. Write postgres://user:password@host:5432/database, or leave it out for SQLite." }}{{ end -}}
{{- end -}}
{{- with .Values.secretKey.value -}}
{{- if lt (len .) 32 }}{{ $found = append $found "secretKey.value has fewer than 32 characters. Create one with: openssl rand -hex 32" }}{{ end -}}
{{- end -}}
{{- toJson $found -}}
{{- end -}}

{{- define "sluice.checks.network" -}}
{{- $found := list -}}
{{- $monitor := .Values.metrics.serviceMonitor -}}
{{- if and $monitor.enabled (not $monitor.token.existingSecret) (not .Values.metrics.public) -}}
{{- $found = append $found "metrics.serviceMonitor is enabled, but Prometheus has no key. Set metrics.serviceMonitor.token.existingSecret to a Secret with a key that has the scope health:check, or metrics.public: true." -}}
{{- end -}}
{{- $callers := list -}}
{{- if .Values.ingress.enabled }}{{ $callers = append $callers "ingress" }}{{ end -}}
{{- if .Values.httpRoute.enabled }}{{ $callers = append $callers "httpRoute" }}{{ end -}}
{{- if $monitor.enabled }}{{ $callers = append $callers "metrics.serviceMonitor" }}{{ end -}}
{{- if and $callers .Values.networkPolicy.enabled (not .Values.networkPolicy.extraFrom) -}}
{{- $found = append $found (printf "%s is enabled, but the NetworkPolicy would keep it out. Name its pods in networkPolicy.extraFrom, or set networkPolicy.enabled: false." ($callers | join ", ")) -}}
{{- end -}}
{{- $routes := dict "ingress" .Values.ingress "httpRoute" .Values.httpRoute -}}
{{- if include "sluice.sidecar" . }}{{ $routes = merge $routes (dict "app.ingress" .Values.app.ingress "app.httpRoute" .Values.app.httpRoute) }}{{ end -}}
{{- range $name, $route := $routes -}}
{{- if $route.enabled -}}
{{- if and (hasKey $route "hosts") (not $route.hosts) }}{{ $found = append $found (printf "%s.hosts is empty. Write the host names that clients use." $name) }}{{ end -}}
{{- if and (hasKey $route "parentRefs") (not $route.parentRefs) }}{{ $found = append $found (printf "%s.parentRefs is empty. Name your Gateway: [{ name: my-gateway }]." $name) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- toJson $found -}}
{{- end -}}

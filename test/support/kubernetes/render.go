// Renders Helm charts as `helm template` does, for tests on machines without Helm: a list of jobs as JSON on stdin, a list of
// results on stdout. It has Go's templates, sprig and Helm's own functions. Values are not checked against the schema here.
package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type object = map[string]interface{}

type job struct {
	Chart     string
	Values    object
	Name      string
	Namespace string
	Upgrade   bool
}

type result struct {
	Manifests map[string]string `json:"manifests,omitempty"`
	Notes     string            `json:"notes,omitempty"`
	Values    object            `json:"values,omitempty"`
	Error     string            `json:"error,omitempty"`
}

// What a template sees as .Files.
type files map[string][]byte

func (all files) Get(name string) string { return string(all[name]) }

// What a template sees as .Capabilities.APIVersions.
type versions []string

func (all versions) Has(wanted string) bool {
	for _, one := range all {
		if one == wanted {
			return true
		}
	}
	return false
}

func main() {
	var jobs []job
	if err := json.NewDecoder(os.Stdin).Decode(&jobs); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	results := make([]result, len(jobs))
	for index, one := range jobs {
		rendered, err := render(one)
		if err != nil {
			rendered.Error = err.Error()
		}
		results[index] = rendered
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func render(one job) (result, error) {
	found, err := read(one.Chart)
	if err != nil {
		return result{}, err
	}
	var about, defaults object
	if err := yaml.Unmarshal(found["Chart.yaml"], &about); err != nil {
		return result{}, fmt.Errorf("Chart.yaml: %w", err)
	}
	if err := yaml.Unmarshal(found["values.yaml"], &defaults); err != nil {
		return result{}, fmt.Errorf("values.yaml: %w", err)
	}
	values := coalesce(one.Values, defaults)
	// Helm gives keys of Chart.yaml to templates with a capital.
	chart := object{"IsRoot": true}
	for key, value := range about {
		chart[strings.ToUpper(key[:1])+key[1:]] = value
	}
	if version, ok := about["appVersion"]; ok {
		chart["AppVersion"] = fmt.Sprint(version)
	}
	top := object{
		"Values": values,
		"Chart":  chart,
		"Files":  files(found),
		"Release": object{
			"Name": one.Name, "Namespace": one.Namespace, "Service": "Helm", "Revision": 1,
			"IsInstall": !one.Upgrade, "IsUpgrade": one.Upgrade,
		},
		"Capabilities": object{
			"KubeVersion": object{"Version": "v1.33.0", "Major": "1", "Minor": "33"},
			"APIVersions": versions{"v1", "apps/v1", "autoscaling/v2", "policy/v1", "networking.k8s.io/v1"},
		},
		"Subcharts": object{},
	}
	manifests, notes, err := execute(fmt.Sprint(about["name"]), found, top)
	return result{Manifests: manifests, Notes: notes, Values: values}, err
}

func read(folder string) (files, error) {
	found := files{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		found[filepath.ToSlash(name)], err = os.ReadFile(path)
		return err
	})
	return found, err
}

// Given values over defaults: maps are merged, null removes a key, everything else replaces.
func coalesce(given, defaults object) object {
	merged := object{}
	for key, value := range defaults {
		merged[key] = value
	}
	for key, value := range given {
		if value == nil {
			delete(merged, key)
			continue
		}
		over, isMap := value.(object)
		under, wasMap := merged[key].(object)
		if isMap && wasMap {
			merged[key] = coalesce(over, under)
		} else {
			merged[key] = value
		}
	}
	return merged
}

func execute(chart string, found files, top object) (map[string]string, string, error) {
	all := template.New("gotpl").Option("missingkey=zero")
	all.Funcs(functions(all))
	names := []string{}
	for name, text := range found {
		if !strings.HasPrefix(name, "templates/") {
			continue
		}
		if _, err := all.New(chart + "/" + name).Parse(string(text)); err != nil {
			return nil, "", err
		}
		if !strings.HasPrefix(filepath.Base(name), "_") {
			names = append(names, name)
		}
	}
	manifests, notes := map[string]string{}, ""
	for _, name := range names {
		seen := object{}
		for key, value := range top {
			seen[key] = value
		}
		seen["Template"] = object{"Name": chart + "/" + name, "BasePath": chart + "/templates"}
		var text strings.Builder
		if err := all.ExecuteTemplate(&text, chart+"/"+name, seen); err != nil {
			return nil, "", err
		}
		// Of a missing key, Go prints this although it was told to use the zero value.
		plain := strings.ReplaceAll(text.String(), "<no value>", "")
		if strings.HasSuffix(name, "NOTES.txt") {
			notes = plain
		} else if strings.TrimSpace(plain) != "" {
			manifests[name] = plain
		}
	}
	return manifests, notes, nil
}

func functions(all *template.Template) template.FuncMap {
	known := sprig.TxtFuncMap()
	// Helm takes these two out: a chart must not read the machine that renders it.
	delete(known, "env")
	delete(known, "expandenv")
	depth := map[string]int{}
	own := template.FuncMap{
		"include": func(name string, data interface{}) (string, error) {
			if depth[name]++; depth[name] > 1000 {
				return "", fmt.Errorf("%s includes itself without end", name)
			}
			defer func() { depth[name]-- }()
			var text strings.Builder
			err := all.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
		"tpl": func(text string, data interface{}) (string, error) {
			copied, err := all.Clone()
			if err != nil {
				return "", err
			}
			parsed, err := copied.New("tpl").Parse(text)
			if err != nil {
				return "", err
			}
			var out strings.Builder
			err = parsed.Execute(&out, data)
			return strings.ReplaceAll(out.String(), "<no value>", ""), err
		},
		"required": func(message string, value interface{}) (interface{}, error) {
			if value == nil || value == "" {
				return value, fmt.Errorf("%s", message)
			}
			return value, nil
		},
		"fail":   func(message string) (string, error) { return "", fmt.Errorf("%s", message) },
		"lookup": func(...string) object { return object{} },
		"toYaml": func(value interface{}) string {
			text, err := yaml.Marshal(value)
			if err != nil {
				return ""
			}
			return strings.TrimSuffix(string(text), "\n")
		},
		"fromYaml":      func(text string) object { return parsed(text, object{}) },
		"fromYamlArray": func(text string) []interface{} { return parsed(text, []interface{}{}) },
		"fromJson":      func(text string) object { return parsed(text, object{}) },
		"fromJsonArray": func(text string) []interface{} { return parsed(text, []interface{}{}) },
		"toJson": func(value interface{}) string {
			text, err := json.Marshal(value)
			if err != nil {
				return ""
			}
			return string(text)
		},
	}
	for name, function := range own {
		known[name] = function
	}
	return known
}

// JSON is YAML. As in Helm, what cannot be parsed is an empty value.
func parsed[T any](text string, empty T) T {
	value := empty
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		return empty
	}
	return value
}

package tree_sitter_metric_test

import (
	"testing"

	tree_sitter "github.com/smacker/go-tree-sitter"
	"github.com/tree-sitter/tree-sitter-metric"
)

func TestCanLoadGrammar(t *testing.T) {
	language := tree_sitter.NewLanguage(tree_sitter_metric.Language())
	if language == nil {
		t.Errorf("Error loading Metric grammar")
	}
}

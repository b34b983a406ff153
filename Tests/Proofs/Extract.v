(** The model as an OCaml program, for the comparison with Swift. *)
From Metricc Require Import Kinds.
From Coq Require Extraction ExtrOcamlBasic.
Extraction Language OCaml.
Extraction "model.ml" behaviour_of leaf_source field_source day_source of_completion level_b hidden_b nearest_b
  fraction_b
  tidied Z.add Z.mul Z.opp Z.leb.

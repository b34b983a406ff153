(** The model as an OCaml program, for the comparison with Swift. *)
From Metricc Require Import Core.
From Coq Require Extraction ExtrOcamlBasic.
Extraction Language OCaml.
Extraction "model.ml" behaviour_of leaf_source field_source day_source Z.add Z.mul Z.opp Z.leb.

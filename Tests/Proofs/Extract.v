(** The model as an OCaml program, for the comparison with Swift. *)
From Metricc Require Import Core.
From Coq Require Extraction ExtrOcamlBasic.
Extraction Language OCaml.
Extraction "model.ml" behaviour_of Z.add Z.mul Z.opp Z.leb.

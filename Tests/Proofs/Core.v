(** The analysis of an expression in which no leaf occurs twice, and its soundness.

    [behaviour_of] is executable: `.ci/proofs` extracts it and compares it with `MetricCheck`. What relates two
    occurrences of a leaf (what a condition says, point by point, growth, grids) is not modelled. *)

From Metricc Require Export Facts.

Inductive expr :=
| Lit (t : ty) (x : value)
| Agg (l : leaf)
| Add (a b : expr) | Sub (a b : expr) | Mul (a b : expr) | Div (a b : expr)
| Neg (a : expr) | Floor (a : expr) | Widen (a : expr)
| Least (a b : expr) | Greatest (a b : expr)
| Cmp (c : comparison) (a b : expr)
| And (a b : expr) | Or (a b : expr) | Not (a : expr)
| IsNone (a : expr)
| If (c a b : expr).

Fixpoint type (e : expr) : ty :=
  match e with
  | Lit t _ => t
  | Agg l => leaf_type l
  | Add a _ | Sub a _ | Mul a _ | Neg a | Least a _ | Greatest a _ | If _ a _ => type a
  | Div _ _ | Widen _ => TDecimal
  | Floor _ => TInt
  | Cmp _ _ _ | And _ _ | Or _ _ | Not _ | IsNone _ => TBool
  end.
Definition is_bool e := match type e with TBool => true | _ => false end.
Definition is_number e := match type e with TInt | TDecimal => true | _ => false end.

Definition is_none (x : value) : value := match x with None => truth | Some _ => falsity end.

Fixpoint eval (w : world) (e : expr) : value :=
  match e with
  | Lit _ x => x
  | Agg l => leaf_value l w
  | Add a b => add (eval w a) (eval w b)
  | Sub a b => sub (eval w a) (eval w b)
  | Mul a b => mul (eval w a) (eval w b)
  | Div a b => div (eval w a) (eval w b)
  | Neg a => option_map Z.opp (eval w a)
  | Floor a => floor (eval w a)
  | Widen a => eval w a
  | Least a b => least (eval w a) (eval w b)
  | Greatest a b => greatest (eval w a) (eval w b)
  | Cmp c a b => compare c (eval w a) (eval w b)
  | And a b => kand (eval w a) (eval w b)
  | Or a b => kor (eval w a) (eval w b)
  | Not a => not (eval w a)
  | IsNone a => is_none (eval w a)
  | If c a b => if is (eval w c) scale then eval w a else eval w b
  end.

(** Whether all its values are whole numbers: then a divisor that is not 0 is at least 1. *)
Fixpoint whole (e : expr) : bool :=
  match e with
  | Lit _ (Some z) => z mod scale =? 0
  | Lit _ None => false
  | Agg l => match leaf_type l with TInt => true | _ => false end
  | Add a b | Sub a b | Mul a b | Least a b | Greatest a b => whole a && whole b
  | If _ a b => whole a && whole b
  | Neg a | Widen a => whole a
  | Floor _ => true
  | _ => false
  end.
Definition step_of e := if whole e then scale else 1.

Definition combine (f : values -> values -> values) (g : moves -> moves -> moves) a b :=
  B (f (vals a) (vals b)) (f (on_no_data a) (on_no_data b)) (g (added a) (added b)) (g (passing a) (passing b)).
Definition map_b (f : values -> values) (g : moves -> moves) a :=
  B (f (vals a)) (f (on_no_data a)) (g (added a)) (g (passing a)).

(** Bits that the values rule out are removed. *)
Definition tidy (bool : bool) (v : values) (m : moves) : moves :=
  if negb (may_present v) then none_moves
  else if bool then
    if negb (may_none v) && (low v =? high v) then none_moves
    else M (rises m && negb (high v <? scale)) (falls m && negb (high v <? scale))
           (appears m && negb (0 <? low v)) (vanishes m && negb (0 <? low v))
  else M (rises m && negb (low v =? high v)) (falls m && negb (low v =? high v))
         (appears m && may_none v) (vanishes m && may_none v).
Definition tidied bool b := B (vals b) (on_no_data b) (tidy bool (vals b) (added b)) (tidy bool (vals b) (passing b)).

(** What never falls and is there from the start stays at or above its start. *)
Definition at_start bool b :=
  if negb bool && negb (may_none (on_no_data b)) && negb (falls (added b)) && negb (vanishes (added b))
  then B (V false (may_present (vals b)) (Z.max (low (vals b)) (low (on_no_data b))) (high (vals b)))
         (on_no_data b) (added b) (passing b)
  else b.
Definition finish bool b := tidied bool (at_start bool b).

(** What the ranges decide wherever both sides are present also holds on no data. *)
Definition is_ordered c (a b : values) :=
  match c with
  | Gt | Le => high a <=? low b
  | Lt | Ge => high b <=? low a
  | Eq | Ne => false
  end.
Definition settle (decided : bool) (known v : values) :=
  if decided && (low known =? high known) then V (may_none v) (may_present v) (low known) (high known) else v.

Definition compare_b numbers c a b :=
  let known := vcompare numbers c (vals a) (vals b) in
  let both :=
    combine (vcompare numbers c)
      (fun m n => fixed_moves known (compare_moves numbers c (vals a) (vals b) m n) m n) a b in
  let decided := numbers && is_ordered c (vals a) (vals b) in
  tidied true (B (vals both) (settle decided known (on_no_data both)) (added both) (passing both)).

Definition none_values (v : values) :=
  V false true (if may_present v then 0 else scale) (if may_none v then scale else 0).
Definition none_moves_of (bool : bool) m :=
  let gone := if bool then falls m || vanishes m else vanishes m in
  let come := if bool then rises m || appears m else appears m in
  M gone come come gone.
Definition is_none_b bool a := tidied true (map_b none_values (none_moves_of bool) a).

Definition certainty (v : values) : option bool :=
  if negb (may_present v) || (high v =? 0) then Some false
  else if negb (may_none v) && (low v =? scale) then Some true else None.
Definition choose (c a b : values) :=
  match certainty c with Some true => a | Some false => b | None => vunion a b end.
(** From a value of one branch to one of the other. *)
Definition crossing (bool number : bool) (x y : values) : moves :=
  if bool then
    let can v z := may_present v && (low v <=? z) && (z <=? high v) in
    let miss v z := may_none v || negb (may_present v) || negb (low v =? z) || negb (high v =? z) in
    M (miss x scale && can y scale) (can x scale && miss y scale) (miss x 0 && can y 0) (can x 0 && miss y 0)
  else
    let both := may_present x && may_present y in
    M (both && negb (number && (high y <=? low x))) (both && negb (number && (high x <=? low y)))
      (may_none x && may_present y) (may_present x && may_none y).
Definition if_moves bool number (a b : values) mc ma mb :=
  union (union (union ma mb) (when (rises mc) (crossing bool number b a)))
    (when (falls mc) (crossing bool number a b)).
Definition if_b bool number c a b :=
  match certainty (vals c) with
  | Some true => a
  | Some false => b
  | None =>
      B (choose (vals c) (vals a) (vals b)) (choose (on_no_data c) (on_no_data a) (on_no_data b))
        (if_moves bool number (vals a) (vals b) (added c) (added a) (added b))
        (if_moves bool number (vals a) (vals b) (passing c) (passing a) (passing b))
  end.

(** The behaviour of an expression, and of `e is none`. *)
Fixpoint behaviours (e : expr) : behaviour * behaviour :=
  let out b := (finish (is_bool e) b, is_none_b (is_bool e) (finish (is_bool e) b)) in
  match e with
  | Lit _ None => out (constant vnone)
  | Lit _ (Some z) => out (constant (exactly z))
  | Agg l => out (leaf_behaviour l)
  | Add a b => let pa := behaviours a in let pb := behaviours b in out (combine vadd union (fst pa) (fst pb))
  | Sub a b => let pa := behaviours a in let pb := behaviours b in out (combine (fun x y => vadd x (vneg y)) (fun m n => union m (mirrored n)) (fst pa) (fst pb))
  | Mul a b => let pa := behaviours a in let pb := behaviours b in out (combine vmul (product_moves (vals (fst pa)) (vals (fst pb))) (fst pa) (fst pb))
  | Div a b => let pa := behaviours a in let pb := behaviours b in
      out (combine (fun x y => vdiv x y (step_of b)) (quotient_moves (vals (fst pa)) (vals (fst pb))) (fst pa) (fst pb))
  | Neg a => let pa := behaviours a in out (map_b (fun y => vadd (exactly 0) (vneg y)) mirrored (fst pa))
  | Floor a => let pa := behaviours a in out (map_b vfloor (fun m => m) (fst pa))
  | Widen a => let pa := behaviours a in out (fst pa)
  | Least a b => let pa := behaviours a in let pb := behaviours b in
      let (x, y) := (vals (fst pa), vals (fst pb)) in
      out (combine vleast (fun m n => chosen m n (high x <=? low y) (high y <=? low x)) (fst pa) (fst pb))
  | Greatest a b => let pa := behaviours a in let pb := behaviours b in
      let (x, y) := (vals (fst pa), vals (fst pb)) in
      out (combine vgreatest (fun m n => chosen m n (high y <=? low x) (high x <=? low y)) (fst pa) (fst pb))
  | Cmp c a b => let pa := behaviours a in let pb := behaviours b in
      (finish true (compare_b (is_number a) c (fst pa) (fst pb)),
       finish true (combine vor union (snd pa) (snd pb)))
  | And a b => let pa := behaviours a in let pb := behaviours b in out (combine vand union (fst pa) (fst pb))
  | Or a b => let pa := behaviours a in let pb := behaviours b in out (combine vor union (fst pa) (fst pb))
  | Not a => let pa := behaviours a in (finish true (map_b vnot of_negation (fst pa)), snd pa)
  | IsNone a => let pa := behaviours a in out (snd pa)
  | If c a b => let pc := behaviours c in let pa := behaviours a in let pb := behaviours b in
      (finish (is_bool e) (if_b (is_bool e) (is_number e) (fst pc) (fst pa) (fst pb)),
       finish true (if_b true false (fst pc) (snd pa) (snd pb)))
  end.
Definition behaviour_of e := fst (behaviours e).

(** * Soundness *)

(** A well-typed expression on a dataset that evaluates: every number in it fits, also of a branch that is
    not taken. *)
Definition bool_expr e := is_bool e = true.
Definition other_expr e := is_bool e = false.
Fixpoint sane (w : world) (e : expr) : Prop :=
  fits (eval w e) /\
  match e with
  | Lit t x => (t = TBool -> bool_value x) /\ on_step (step_of e) x
  | Agg l => leaf_sane l w /\ leaf_type l <> TBool /\ on_step (step_of e) (leaf_value l w)
  | Add a b | Sub a b | Mul a b | Least a b | Greatest a b | Cmp _ a b =>
      sane w a /\ sane w b /\ other_expr a /\ other_expr b
  | Div a b => sane w a /\ sane w b /\ other_expr a /\ other_expr b /\ on_step (step_of b) (eval w b)
  | Neg a | Floor a | Widen a => sane w a /\ other_expr a
  | And a b | Or a b => sane w a /\ sane w b /\ bool_expr a /\ bool_expr b
  | Not a => sane w a /\ bool_expr a
  | IsNone a => sane w a
  | If c a b => sane w c /\ sane w a /\ sane w b /\ bool_expr c /\ is_bool a = is_bool b
  end.

(** A dataset and its parts: what is left where facts are removed, the last first. *)
Definition Sane (w : world) (e : expr) : Prop :=
  forall earlier later, facts w = later ++ earlier -> sane (World earlier (today w)) e.

Definition ok (bool : bool) := if bool then ok_bool else ok_number.

(** What a behaviour promises of a value that depends on dataset and day. *)
Definition sound (bool : bool) (b : behaviour) (good : world -> Prop) (f : world -> value) : Prop :=
  (forall w, good w -> within (vals b) (f w))
  /\ (forall w, good w -> no_data w -> within (on_no_data b) (f w))
  /\ (forall ax w w', step ax w w' -> good w -> good w' -> ok bool (moves_of ax b) (f w) (f w')).

Lemma sane_now w e : Sane w e -> sane w e.
Proof. intros H. destruct w as [l r]. apply (H l []). reflexivity. Qed.
Lemma bool_sane w e : sane w e -> bool_expr e -> bool_value (eval w e).
Proof.
  unfold bool_expr, is_bool. revert w. induction e; cbn [sane type]; intros w (_ & H) T; try discriminate.
  - destruct t; try discriminate. apply H. reflexivity.
  - destruct (leaf_type l); try discriminate. now destruct H as (_ & H & _).
  - destruct H as (_ & _ & H & _). unfold other_expr, is_bool in H. destruct (type e1); discriminate.
  - destruct H as (_ & _ & H & _). unfold other_expr, is_bool in H. destruct (type e1); discriminate.
  - destruct H as (_ & _ & H & _). unfold other_expr, is_bool in H. destruct (type e1); discriminate.
  - destruct H as (_ & H). unfold other_expr, is_bool in H. destruct (type e); discriminate.
  - destruct H as (_ & _ & H & _). unfold other_expr, is_bool in H. destruct (type e1); discriminate.
  - destruct H as (_ & _ & H & _). unfold other_expr, is_bool in H. destruct (type e1); discriminate.
  - cbn. destruct (eval w e1), (eval w e2); cbn; unfold bool_value; auto.
    destruct (holds _ _ _); auto.
  - cbn. unfold kand, bool_value. destruct (_ || _); auto. destruct (_ && _); auto.
  - cbn. unfold kor, kand, bool_value. destruct (_ || _); cbn; auto. destruct (_ && _); cbn; auto.
  - destruct H as (H & B). destruct (IHe w H B) as [E|[E|E]]; cbn; rewrite E; unfold bool_value; cbn; auto.
  - cbn. destruct (eval w e); unfold bool_value; cbn; auto.
  - destruct H as (Hc & Ha & Hb & _ & E). cbn. unfold is_bool in E.
    destruct (is (eval w e1) scale); [apply IHe2|apply IHe3]; auto. now rewrite <- E.
Qed.

Lemma tidy_ok bool v m x y :
  (bool = true -> bool_value x /\ bool_value y) -> within v x -> within v y -> ok bool m x y ->
  ok bool (tidy bool v m) x y.
Proof.
  intros T Hx Hy H. unfold tidy. destruct v as [n p l h].
  destruct p; cbn [negb may_present]; [|destruct x, y; cbn in Hx, Hy; try (now destruct Hx);
    try (now destruct Hy); destruct bool; cbn; auto; unfold ok_bool; cbn; intuition discriminate].
  destruct bool; cbn [ok may_none low high] in *.
  - destruct (T eq_refl) as [Bx By]. clear T.
    destruct (negb n && (l =? h)) eqn:E.
    + apply andb_prop in E. destruct E as [E1 E2]. destruct n; [discriminate|]. apply Z.eqb_eq in E2.
      assert (x = y); [|subst; apply same_ok].
      destruct x, y; cbn in Hx, Hy; try discriminate. f_equal. lia.
    + unfold ok_bool in *. bits. unfold bool_value, falsity, truth in *.
      rewrite !andb_true_iff, !negb_true_iff, !Z.ltb_ge.
      destruct Bx as [->|[->| ->]], By as [->|[->| ->]]; cbn in *; unfold scale in *; cbn in *;
        intuition (try discriminate; try lia).
  - unfold ok_number in *. destruct x, y; cbn in *; rewrite ?andb_true_iff, ?negb_true_iff, ?Z.eqb_neq;
      intuition lia.
Qed.

Lemma tidied_sound bool b (good : world -> Prop) f :
  (bool = true -> forall w, good w -> bool_value (f w)) -> sound bool b good f ->
  sound bool (tidied bool b) good f.
Proof.
  intros T (H1 & H2 & H3). repeat split; auto. intros ax w w' S G G'.
  destruct ax; cbn [moves_of tidied added passing];
    (apply tidy_ok; [intros E; split; auto|auto|auto|now apply (H3 _ _ _ S)]).
Qed.

(** Facts are added one by one to no data. *)
Lemma at_start_sound bool b (good : world -> Prop) f :
  (forall l fs r, good (World (l ++ fs) r) -> good (World fs r)) -> sound bool b good f ->
  sound bool (at_start bool b) good f.
Proof.
  intros Down (H1 & H2 & H3). unfold at_start.
  destruct (negb bool && _ && _ && _) eqn:E; [|repeat split; auto].
  rewrite !andb_true_iff, !negb_true_iff in E. destruct E as (((-> & E1) & E2) & E3).
  repeat split; auto. intros [fs r] G.
  assert (K : exists p, f (World fs r) = Some p /\ low (on_no_data b) <= p).
  { induction fs as [|x fs IH].
    - specialize (H2 _ G eq_refl). destruct (f (World [] r)); cbn in H2; [|congruence].
      eexists. split; eauto. lia.
    - assert (G' : good (World fs r)) by (apply (Down [x]); exact G).
      destruct (IH G') as (p & Hp & Hl).
      specialize (H3 Added _ _ (add_fact x fs r) G' G). cbn [ok moves_of] in H3. rewrite Hp in H3.
      destruct (f (World (x :: fs) r)) as [q|]; cbn in H3; [|congruence].
      exists q. split; auto. destruct H3 as [_ H3]. destruct (Z_lt_dec q p); [|lia].
      rewrite H3 in E2 by auto. discriminate. }
  destruct K as (p & Hp & Hl). specialize (H1 _ G). rewrite Hp in *. cbn in *. intuition lia.
Qed.

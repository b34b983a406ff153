(** What conditions say: `if`, `and` and `or` where each side is judged under the other one. *)

From Metricc Require Export Soundness.

Section Scopes.
Variable good : world -> Prop.
Notation where_ := (Rules.where_ good).
Implicit Types f g h : world -> value.
(** Two proofs of one value: the ranges meet, and a bit is needed only if both have it. *)
Definition vmeet (u v : values) := V (may_none u && may_none v) (may_present u && may_present v)
  (Z.max (low u) (low v)) (Z.min (high u) (high v)).
Definition both_b a b := B (vmeet (vals a) (vals b)) (vmeet (on_no_data a) (on_no_data b))
  (meet (added a) (added b)) (meet (passing a) (passing b)).
Lemma vmeet_sound u v x : within u x -> within v x -> within (vmeet u v) x.
Proof. destruct x; cbn; [intros [-> ?] [-> ?]; split; auto; lia|now intros -> ->]. Qed.
Lemma both_sound_b (bool : bool) a b f : sound bool a good f -> sound bool b good f -> sound bool (both_b a b) good f.
Proof.
  intros (A1 & A2 & A3) (B1 & B2 & B3). split; [|split]; intros; try (now apply vmeet_sound; auto).
  specialize (A3 _ _ _ H H0 H1). specialize (B3 _ _ _ H H0 H1).
  destruct ax, bool; cbn [ok moves_of both_b added passing] in *; unfold ok_bool, ok_number in *;
    cbn [meet rises falls appears vanishes];
    rewrite ?andb_true_iff; try (destruct (f w), (f w')); cbn in *; rewrite ?andb_true_iff; intuition.
Qed.

(** ** `if C then A else B`: the crossings between the branches *)

(** A crossing from the branch X, taken where C comes out [c], to Y, by the order of the two. [m] are the moves of X,
    and [n] those of Y, without the condition. *)
Section Crossing.
Variables (f : world -> value) (x y : world -> value) (m n : moves) (ax : axis) (w w' : world) (c : bool).
Hypothesis (S : step ax w w') (Old : where_ f c w) (New : where_ f (negb c) w').
Hypothesis (X : ok_number m (x w) (x w')) (Y : ok_number n (y w) (y w')).
Definition not_above (g h : world -> value) v := match g v, h v with Some p, Some q => p <= q | _, _ => True end.
Theorem crossing_never_falls p q :
  falls m = false /\ vanishes m = false /\ not_above x y w' \/
    falls n = false /\ appears n = false /\ not_above x y w ->
  x w = Some p -> y w' = Some q -> p <= q.
Proof.
  unfold not_above. intros H P Q. rewrite P, Q in *. destruct (x w'), (y w); cbn in *; intuition (try congruence);
    (destruct (Z_lt_dec q p) as [L|]; [|lia]); exfalso; by_order; intuition (try congruence; try lia).
Qed.
Lemma crossing_never_rises p q :
  rises m = false /\ vanishes m = false /\ not_above y x w' \/
    rises n = false /\ appears n = false /\ not_above y x w ->
  x w = Some p -> y w' = Some q -> q <= p.
Proof.
  unfold not_above. intros H P Q. rewrite P, Q in *. destruct (x w'), (y w); cbn in *; intuition (try congruence);
    (destruct (Z_lt_dec p q) as [L|]; [|lia]); exfalso; by_order; intuition (try congruence; try lia).
Qed.
Lemma crossing_never_appears : appears m = false -> x w' <> None -> x w <> None.
Proof. destruct (x w), (x w'); cbn in X; congruence. Qed.
Lemma crossing_never_vanishes : vanishes n = false -> y w <> None -> y w' <> None.
Proof. destruct (y w), (y w'); cbn in Y; congruence. Qed.
End Crossing.

(** With r and no v a condition was none before it became true. *)
Lemma was_none m x y : bool_value x -> vanishes m = false -> ok_bool m x y -> is x scale = false ->
  is y scale = true ->
  x = None.
Proof.
  intros [->|[->| ->]] V (_ & _ & _ & H); auto; cbn; [|discriminate]. intros _ T.
  rewrite H in V; [discriminate|reflexivity|]. destruct y; cbn in *; unfold scale in *; lia.
Qed.

(** ** x == y: a side that moves one way comes to the other from one side, and leaves it on the opposite one *)
Theorem equality_crossing mx my x x' y y' p q p' q' :
  ok_number mx x x' -> ok_number my y y' -> falls mx = false -> rises my = false ->
  x = Some p -> y = Some q -> x' = Some p' -> y' = Some q' ->
  (p <> q -> p' = q' -> p < q) /\ (p = q -> p' <> q' -> q' < p').
Proof.
  intros X Y F R -> -> -> ->. cbn in *. destruct (Z_lt_dec p' p); [rewrite (proj2 X) in F by auto; discriminate|].
  destruct (Z_lt_dec q q'); [rewrite (proj1 Y) in R by auto; discriminate|]. lia.
Qed.

(** ** `A and B`: a move of one side while the other is true, or of both at once *)
Definition junction (seen_a seen_b a b : moves) := union (union seen_a seen_b) (meet a b).
Lemma kand_true x y : bool_value x -> bool_value y -> is (kand x y) scale = is x scale && is y scale.
Proof. intros [->|[->| ->]] [->|[->| ->]]; reflexivity. Qed.
Theorem and_one_side ax a b f g ma mb w w' :
  bools good f -> bools good g -> sound true a good f -> sound true b good g ->
  sound true ma (where_ g true) f -> sound true mb (where_ f true) g ->
  step ax w w' -> good w -> good w' ->
  let m := junction (moves_of ax ma) (moves_of ax mb) (moves_of ax a) (moves_of ax b) in
  (is (kand (f w) (g w)) scale = false -> is (kand (f w') (g w')) scale = true -> rises m = true)
  /\ (is (kand (f w) (g w)) scale = true -> is (kand (f w') (g w')) scale = false -> falls m = true).
Proof.
  intros Bf Bg (_ & _ & A) (_ & _ & B) (_ & _ & MA) (_ & _ & MB) S G G' m.
  rewrite !kand_true by auto. specialize (A ax w w' S G G'). specialize (B ax w w' S G G').
  destruct A as (Ar & Af & _), B as (Br & Bf' & _). unfold m, junction. cbn [union rises falls meet].
  destruct (is (f w) scale) eqn:E1, (is (g w) scale) eqn:E2, (is (f w') scale) eqn:E3, (is (g w') scale) eqn:E4;
    cbn [andb]; split; intros H H'; try discriminate H; try discriminate H'; clear H H';
    rewrite !orb_true_iff, !andb_true_iff;
    try destruct (MA ax w w' S (conj G E2) (conj G' E4)) as (MAr & MAf & _); try rewrite E1 in MAr, MAf;
      try rewrite E3 in MAr, MAf;
    try destruct (MB ax w w' S (conj G E1) (conj G' E3)) as (MBr & MBf & _); try rewrite E2 in MBr, MBf;
      try rewrite E4 in MBr, MBf; intuition.
Qed.
(** For falsity the other side is not false: the same of the negated sides, with `or`. *)
Lemma or_is_and x y : kor x y = not (kand (not x) (not y)).
Proof. reflexivity. Qed.
(** Never true where one side is not true under the other. *)
Lemma and_never_true f g u : bools good f -> bools good g ->
  (forall w, where_ g true w -> within u (f w)) -> certainty u = Some false ->
  forall w, good w -> is (kand (f w) (g w)) scale = false.
Proof.
  intros Bf Bg U C w G. rewrite kand_true by auto. destruct (is (g w) scale) eqn:E; [|apply andb_false_r].
  now rewrite (certainty_false u (f w) C (U w (conj G E))).
Qed.
End Scopes.

(** ** What a condition says *)

(** A true comparison bounds its sides by each other, by whole numbers where they are; both are present. *)
Definition up_to step z := - (- z / step * step).
Definition down_to step z := z / step * step.
Lemma down_to_spec step p z : 0 < step -> (step | p) -> p <= z -> p <= down_to step z.
Proof.
  intros S [k ->] L. unfold down_to. assert (k <= z / step) by (apply Z.div_le_lower_bound; lia). nia.
Qed.
Lemma up_to_spec step p z : 0 < step -> (step | p) -> z <= p -> up_to step z <= p.
Proof.
  intros S D L. unfold up_to. assert (H : - p <= down_to step (- z)); [|unfold down_to in H; lia].
  apply down_to_spec; auto; [now apply Z.divide_opp_r|lia].
Qed.
Theorem comparison_says c x y step v : 0 < step -> compare c x y = truth ->
  exists p q, x = Some p /\ y = Some q /\ ((step | p) -> low v <= q <= high v ->
    match c with
    | Lt => p <= down_to step (high v - 1) | Le => p <= down_to step (high v)
    | Gt => up_to step (low v + 1) <= p | Ge => up_to step (low v) <= p
    | Eq => up_to step (low v) <= p <= down_to step (high v)
    | Ne => True
    end).
Proof.
  intros S E. destruct x as [p|], y as [q|]; try discriminate. exists p, q. split; [auto|split; auto].
  intros D L. assert (H : holds c p q = true) by (cbn in E; destruct (holds c p q); auto; discriminate).
  destruct c; cbn in H; auto; try split; try apply down_to_spec; try apply up_to_spec; auto; lia.
Qed.
(** One that is not true says the opposite where both sides are present; where its ranges make it true, one is none. *)
Lemma not_true_says c p q : is (compare c (Some p) (Some q)) scale = false -> holds (inverse c) p q = true.
Proof. rewrite holds_inverse. cbn. rewrite is_of_bool_true. now intros ->. Qed.
Theorem decided_says_none c a b x y : within a x -> within b y -> can_hold (inverse c) a b = false ->
  is (compare c x y) scale = false -> x = None \/ y = None.
Proof.
  intros A B D H. destruct x as [p|], y as [q|]; auto. apply not_true_says in H.
  destruct A as [_ A], B as [_ B]. rewrite (can_hold_sound (inverse c) a b p q) in D; auto. discriminate.
Qed.
(** Bounds of a sum, a difference or -x are bounds of its sides. *)
Lemma terms_say l h u v p q : low u <= p <= high u -> low v <= q <= high v ->
  (l <= - p <= h -> - h <= p <= - l) /\ (l <= p + q <= h -> l - high v <= p <= h - low v)
  /\ (l <= p - q <= h -> l + low v <= p <= h + high v /\ low u - h <= q <= high u - l).
Proof. lia. Qed.
Lemma junctions_say x y : bool_value x -> bool_value y ->
  (is (kand x y) scale = true -> is x scale = true /\ is y scale = true)
  /\ (is (kor x y) scale = false -> is x scale = false /\ is y scale = false).
Proof. intros. split; kleene. Qed.
(** `not x` says the opposite ([not_says] of [Logic.v]), so `!=` says what `==` says where it is not true. *)
Lemma opposite_says c x y : compare (inverse c) x y = not (compare c x y).
Proof. destruct x, y; cbn -[scale of_bool]; auto. rewrite holds_inverse. destruct (holds _ _ _); reflexivity. Qed.
Lemma member_says ms p : member ms (Some p) = truth -> lowest ms <= p <= greatest_of ms.
Proof.
  cbn. destruct (existsb (Z.eqb p) ms) eqn:E; [|discriminate]. intros _. apply existsb_exists in E.
  destruct E as (z & I & Q). apply Z.eqb_eq in Q. subst. split; [now apply lowest_le|now apply greatest_ge].
Qed.

(** Under `where`, [l, h] is what the condition says of the field where it is true: no other fact is aggregated. *)
Theorem where_says l (condition : fact -> value) u w :
  (forall f, keep l f = true -> is (condition f) scale = true) ->
  (forall f, is (condition f) scale = true -> forall z, In z (arg l f) -> within u (Some z)) ->
  forall z, In z (elements l w) -> low u <= z <= high u.
Proof.
  intros K U z H. apply in_flat_map in H. destruct H as (f & S & I). apply filter_In in S. destruct S as [_ S].
  apply andb_prop in S. exact (proj2 (U f (K f (proj1 S)) z I)).
Qed.

(** ** is none of `and` and `or`: what is false, or true, decides; else none on either side. And `weekday`. *)
Theorem junction_is_none x y : bool_value x -> bool_value y ->
  is_none (kand x y) = kor (pick (not y) falsity (is_none x)) (pick (not x) falsity (is_none y))
  /\ is_none (kor x y) = kor (pick y falsity (is_none x)) (pick x falsity (is_none y)).
Proof. intros [->|[->| ->]] [->|[->| ->]]; split; reflexivity. Qed.
(** A completion is true or false, and never none. *)
Lemma completion_is_none (c : bool) : is_none (Some (of_bool c)) = falsity.
Proof. reflexivity. Qed.
Theorem weekday_moves (day_of : Z -> Z) m x x' : ok_number m x x' ->
  ok_number (if rises m || falls m then union m (M true true false false) else m) (option_map day_of x)
    (option_map day_of x').
Proof.
  destruct x as [p|], x' as [q|]; cbn; auto; destruct (rises m) eqn:R, (falls m) eqn:F; cbn;
    rewrite ?orb_false_r, ?orb_true_r; auto.
  intros [H H']. assert (p = q); [|subst; lia]. destruct (Z.lt_trichotomy p q) as [L|[L|L]]; auto;
    [apply H in L|apply H' in L]; discriminate.
Qed.

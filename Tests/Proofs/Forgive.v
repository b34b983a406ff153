(** Forgiveness: `streak … forgive N in M`, its `best` and its part `left` (STR-06, STR-07). *)

From Metricc Require Export Windows.

(** The windows that do not rest, from window 0 back: whether each is complete. *)
Fixpoint cells (s : list state) : list bool :=
  match s with [] => [] | Rest :: s => cells s | Done :: s => true :: cells s | Open :: s => false :: cells s end.
Definition opens (l : list bool) : Z := size (filter negb l).
Definition dones (l : list bool) : Z := size (filter id l).

Section Forgive.
Variables n m : nat.

(** No M in a row, or fewer, hold more than N incomplete ones. *)
Fixpoint allowed (l : list bool) : bool :=
  match l with [] => true | _ :: r => (opens (firstn m l) <=? Z.of_nat n) && allowed r end.
(** STR-06: the length of the longest stretch, and the complete windows in it. *)
Fixpoint longest (k : nat) (l : list bool) : nat :=
  match k with O => O | S j => if allowed (firstn k l) then k else longest j l end.
Definition value_of l := dones (firstn (longest (length l) l) l).
Definition forgiving (s : list state) : Z := value_of (cells s).
(** STR-07: of M windows, those that [momentum] does not count are incomplete, also before the first fact. *)
Definition left_over (s : list state) : Z := Z.max 0 (Z.of_nat n - (Z.of_nat m - momentum m s)).

Lemma opens_app a b : opens (a ++ b) = opens a + opens b.
Proof. unfold opens, size. rewrite filter_app, app_length. lia. Qed.
Lemma dones_app a b : dones (a ++ b) = dones a + dones b.
Proof. unfold dones, size. rewrite filter_app, app_length. lia. Qed.
Lemma cells_app a b : cells (a ++ b) = cells a ++ cells b.
Proof. induction a as [|[] a IH]; cbn; now rewrite ?IH. Qed.
Lemma opens_cons x l : opens (x :: l) = (if x then 0 else 1) + opens l.
Proof. destruct x; unfold opens, size; cbn [filter negb length]; lia. Qed.
Lemma dones_cons x l : dones (x :: l) = (if x then 1 else 0) + dones l.
Proof. destruct x; unfold dones, size; cbn [filter id length]; lia. Qed.
Lemma counts_nonneg l : 0 <= opens l /\ 0 <= dones l.
Proof. unfold opens, dones, size. lia. Qed.
Ltac counting := rewrite ?app_length, ?opens_app, ?dones_app, ?opens_cons, ?dones_cons in *;
  change (opens []) with 0 in *; change (dones []) with 0 in *; cbn [length] in *.

(** [allowed] as STR-06 says it. *)
Lemma allowed_spec l :
  allowed l = true <-> forall a b c, l = a ++ b ++ c -> (length b <= m)%nat -> opens b <= Z.of_nat n.
Proof.
  induction l as [|x l IH]; cbn [allowed].
  - split; auto. intros _ [|? ?] [|? ?] c E _; try discriminate. cbn. lia.
  - rewrite andb_true_iff, IH, Z.leb_le. split.
    + intros [H K] [|y a] b c E L; [|injection E as -> ->; now apply (K a b c)].
      cbn in E. rewrite E, firstn_app, (firstn_all2 b), opens_app in H by auto.
      pose proof (counts_nonneg (firstn (m - length b) c)). lia.
    + intros H. split.
      * apply (H [] (firstn m (x :: l)) (skipn m (x :: l))); [symmetry; apply firstn_skipn|apply firstn_le_length].
      * intros a b c -> L. now apply (H (x :: a) b c).
Qed.
Lemma longest_spec k l : allowed (firstn (longest k l) l) = true
  /\ forall j, (j <= k)%nat -> allowed (firstn j l) = true -> (j <= longest k l)%nat.
Proof.
  induction k as [|k [IH1 IH2]]; cbn [longest]; [split; auto; lia|].
  destruct (allowed (firstn (S k) l)) eqn:E; split; auto; intros j L A; try lia.
  apply IH2; auto. destruct (Nat.eq_dec j (S k)) as [->|]; [congruence|lia].
Qed.
(** The value is the greatest of all stretches. *)
Lemma value_greatest p r : allowed p = true -> dones p <= value_of (p ++ r).
Proof.
  intros A. unfold value_of. set (l := p ++ r). destruct (longest_spec (length l) l) as [_ H].
  assert (E : firstn (length p) l = p) by (unfold l; rewrite firstn_app, Nat.sub_diag, firstn_all; apply app_nil_r).
  specialize (H (length p) ltac:(unfold l; rewrite app_length; lia) ltac:(now rewrite E)).
  remember (longest _ l) as k. replace p with (firstn (length p) (firstn k l)) by
    (rewrite firstn_firstn, Nat.min_l by auto; exact E).
  rewrite <- (firstn_skipn (length p) (firstn k l)) at 2. rewrite dones_app.
  pose proof (counts_nonneg (skipn (length p) (firstn k l))). lia.
Qed.
Lemma value_reached l : exists p r, l = p ++ r /\ allowed p = true /\ value_of l = dones p.
Proof.
  exists (firstn (longest (length l) l) l), (skipn (longest (length l) l) l).
  split; [symmetry; apply firstn_skipn|]. split; [apply longest_spec|reflexivity].
Qed.
(** So one list of windows has a greater value if each stretch of the other leads to one that holds as much. *)
Lemma value_le l l' : (forall p r, l = p ++ r -> allowed p = true ->
    exists p' r', l' = p' ++ r' /\ allowed p' = true /\ dones p <= dones p') -> value_of l <= value_of l'.
Proof.
  intros H. destruct (value_reached l) as (p & r & E & A & ->). destruct (H p r E A) as (p' & r' & -> & A' & L).
  pose proof (value_greatest p' r' A'). lia.
Qed.

(** ** One window changes *)
(** What a row of windows is to the windows a and b on both sides of a place. *)
Lemma row_cases {A} (a b x y z : list A) : a ++ b = x ++ y ++ z ->
  (exists q, a = x ++ y ++ q) \/ (exists q, b = q ++ y ++ z) \/ exists u v, a = x ++ u /\ y = u ++ v /\ b = v ++ z.
Proof.
  intros E. destruct (app_eq_app _ _ _ _ E) as (q & [(-> & E1)|(-> & ->)]); [|right; left; eauto].
  destruct (app_eq_app _ _ _ _ E1) as (v & [(-> & ->)|(-> & ->)]); [|left; eauto].
  right. right. exists q, v. auto.
Qed.
(** A row over the place of one window, in lists that say what lies on both sides of it. *)
Ltac row H a b c := let L := fresh in
  pose proof (H a b c) as L; rewrite <- ?app_assoc in L; cbn [app] in L; specialize (L eq_refl); counting; lia.

(** M in a row without the window are, with it and without the first of them, M in a row again. *)
Lemma allowed_rest a b : allowed (a ++ false :: b) = true -> allowed (a ++ b) = true.
Proof.
  rewrite !allowed_spec. intros H x y z E L.
  destruct (row_cases _ _ _ _ _ E) as [(q & ->)|[(q & ->)|([|c u] & v & -> & -> & ->)]].
  - row H x y (q ++ false :: b).
  - row H (a ++ false :: q) y z.
  - row H (x ++ [false]) v z.
  - pose proof (H (x ++ [c]) (u ++ false :: v) z) as K. rewrite <- ?app_assoc in K. cbn [app] in K.
    specialize (K eq_refl). counting. destruct c; lia.
Qed.
Lemma allowed_insert a b : allowed (a ++ b) = true -> allowed (a ++ true :: b) = true.
Proof.
  rewrite !allowed_spec. intros H x y z E L.
  destruct (row_cases _ _ _ _ _ E) as [(q & ->)|[([|w q] & E')|(u & [|w v] & -> & -> & E')]]; cbn [app] in *.
  - row H x y (q ++ b).
  - destruct y as [|w y]; [cbn; lia|]. injection E' as <- ->. row H a y z.
  - injection E' as <- ->. row H (a ++ q) y z.
  - row H x u b.
  - injection E' as <- ->. row H x (u ++ v) z.
Qed.

Lemma value_change a x y b : (forall q, allowed (a ++ x ++ q) = true -> allowed (a ++ y ++ q) = true) ->
  (length x <= 1)%nat -> dones x <= dones y -> value_of (a ++ x ++ b) <= value_of (a ++ y ++ b).
Proof.
  intros K L D. apply value_le. intros p r E A.
  assert (C : (exists q, a = p ++ q) \/ exists q, p = a ++ x ++ q /\ b = q ++ r).
  { destruct (app_eq_app _ _ _ _ E) as (q & [(-> & _)|(-> & E')]); [eauto|].
    destruct x as [|w [|]], q as [|w' q]; cbn in *; try lia; try (left; exists []; now rewrite !app_nil_r); right;
      [exists (w' :: q); auto|exists q; injection E' as <- ->; auto]. }
  destruct C as [(q & ->)|(q & -> & ->)].
  - exists p, (q ++ y ++ b). rewrite <- app_assoc. repeat split; auto. lia.
  - exists (a ++ y ++ q), r. rewrite <- !app_assoc. repeat split; [now apply K|]. counting. lia.
Qed.
(** LAW-01: windows that become complete, and incomplete ones that rest, never lower the value. *)
Theorem forgiving_mono s t : better s t -> forgiving s <= forgiving t.
Proof.
  assert (P : better s t -> forall a, value_of (a ++ cells s) <= value_of (a ++ cells t));
    [|intros H; exact (P H [])].
  intros H. induction H as [|x y s t H _ IH]; intros a; [reflexivity|].
  pose proof (fun c => IH (a ++ [c])) as N. setoid_rewrite <- app_assoc in N. cbn [app] in N.
  destruct x, y; try destruct H; cbn [cells]; auto; (etransitivity; [|apply N || apply IH]).
  - apply (value_change a [] [true]); [apply allowed_insert|cbn; lia|cbn; lia].
  - apply (value_change a [false] [true]); [intros q A; now apply allowed_insert, allowed_rest|cbn; lia|cbn; lia].
  - apply (value_change a [false] []); [apply allowed_rest|cbn; lia|cbn; lia].
Qed.

(** ** Beside the plain streak, and what it is on no data *)
Lemma value_bounds l : 0 <= value_of l <= dones l.
Proof.
  destruct (value_reached l) as (p & r & -> & _ & ->). pose proof (counts_nonneg p). pose proof (counts_nonneg r).
  counting. lia.
Qed.
Lemma few_allowed l : opens l <= Z.of_nat n -> allowed l = true.
Proof.
  rewrite allowed_spec. intros H a b c -> _. pose proof (counts_nonneg a). pose proof (counts_nonneg c).
  counting. lia.
Qed.
Lemma grace_within k s a : opens a + Z.of_nat k <= Z.of_nat n -> grace k s <= value_of (a ++ cells s).
Proof.
  assert (P : forall s a, opens a <= Z.of_nat n -> current s + dones a <= value_of (a ++ cells s)).
  { clear s a k. induction s as [|x s IH]; intros a H.
    - cbn. pose proof (value_greatest a [] (few_allowed a H)). lia.
    - destruct x; cbn [current cells]; [specialize (IH (a ++ [true]))|auto|].
      + rewrite <- app_assoc in IH. counting. specialize (IH ltac:(lia)). cbn [app] in IH. lia.
      + pose proof (value_greatest a (false :: cells s) (few_allowed a H)). lia. }
  assert (Q : forall s a, opens a <= Z.of_nat n -> current s <= value_of (a ++ cells s))
    by (intros t b L; specialize (P t b L); pose proof (counts_nonneg b); lia).
  revert s a. induction k; intros s a H; destruct s as [|x s]; cbn [grace]; try (apply Q; lia).
  apply Z.max_lub; [apply Q; lia|]. replace (a ++ cells (x :: s)) with ((a ++ cells [x]) ++ cells s) by
    (rewrite <- app_assoc; f_equal; now destruct x).
  apply IHk. destruct x; cbn [cells]; counting; lia.
Qed.
(** It is at least the streak, also with `grace N`. *)
Theorem forgiving_at_least_grace s : grace n s <= forgiving s.
Proof. apply (grace_within n s []). reflexivity. Qed.
Lemma forgiving_at_least s : current s <= forgiving s.
Proof. pose proof (forgiving_at_least_grace s). destruct n, s; cbn [grace] in *; lia. Qed.
Lemma dones_count s : dones (cells s) = count_done s.
Proof. induction s as [|[] s IH]; cbn [cells count_done]; counting; lia. Qed.
Theorem forgiving_reads : reads (fun s => scale * forgiving s) limit.
Proof.
  split; [|split]; intros s; [intros t H; pose proof (forgiving_mono s t H)| |intros H];
    pose proof (value_bounds (cells s)) as B; fold (forgiving s) in B; rewrite dones_count in B;
    [unfold scale; lia..|rewrite (count_none s H) in B; unfold scale; lia].
Qed.
Theorem forgiving_by_count : by_count (fun s => scale * forgiving s).
Proof.
  exists (fun k => scale * k). split; [unfold scale; lia|]. intros s H. f_equal.
  pose proof (forgiving_at_least s) as L. rewrite compact_current in L by auto.
  pose proof (value_bounds (cells s)) as B. fold (forgiving s) in B. rewrite dones_count in B. lia.
Qed.

(** ** What is left *)
Theorem left_over_reads : (n <= m)%nat -> reads (fun s => scale * left_over s) (scale * Z.of_nat n).
Proof.
  intros L. destruct (momentum_reads m) as [(M & _ & Z) _]. unfold left_over, scale in *. split; [|split]; intros s.
  - intros t H. specialize (M s t H). lia.
  - pose proof (momentum_range m s). lia.
  - intros H. specialize (Z s H). lia.
Qed.
Theorem left_over_by_count : by_count (fun s => scale * left_over s).
Proof.
  destruct (momentum_reads m) as [_ (g & M & H)].
  exists (fun k => Z.max 0 (scale * (Z.of_nat n - Z.of_nat m) + g k)).
  split; [intros a b L; specialize (M a b L); lia|]. intros s C. rewrite <- H by auto. unfold left_over, scale. lia.
Qed.
Lemma momentum_cells k s : momentum k s = dones (firstn k (cells s)).
Proof.
  assert (H : forall j, strength (first_ones k) j s = dones (firstn (k - j) (cells s)));
    [|unfold momentum; rewrite H; now rewrite Nat.sub_0_r].
  induction s as [|[] s IH]; intros j; cbn [strength cells]; [now destruct (k - j)%nat| |apply IH|];
    rewrite IH; unfold first_ones; destruct (Nat.ltb_spec j k);
    ((replace (k - j)%nat with (S (k - S j)) by lia)
      || (replace (k - j)%nat with O by lia; replace (k - S j)%nat with O by lia)); cbn [firstn]; counting; lia.
Qed.
Lemma opens_dones l : opens l + dones l = size l.
Proof. induction l as [|[] l IH]; [reflexivity| |]; counting; unfold size in *; cbn [length]; lia. Qed.
(** So many windows more may stay open now, whatever else comes: the stretch goes on through all of them. *)
Theorem left_may_stay_open s u : opens (cells u) <= left_over s ->
  forgiving s + count_done u <= forgiving (u ++ s).
Proof.
  intros L. unfold forgiving. rewrite cells_app, <- dones_count.
  destruct (value_reached (cells s)) as (p & r & E & A & ->).
  rewrite E, app_assoc, Z.add_comm, <- dones_app. apply value_greatest. rewrite allowed_spec in *.
  unfold left_over in L. rewrite momentum_cells, E in L.
  intros a b c Eq Lb. pose proof (opens_dones (firstn m (p ++ r))) as M.
  pose proof (firstn_le_length m (p ++ r)) as M'. unfold size in M. pose proof (counts_nonneg (firstn m (p ++ r))).
  destruct (row_cases _ _ _ _ _ Eq) as [(q & Q)|[(q & ->)|(x & y & Q & -> & ->)]]; try rewrite Q in L.
  - counting. pose proof (counts_nonneg a). pose proof (counts_nonneg q). lia.
  - now apply (A q b c).
  - pose proof (A [] y c eq_refl) as Y. counting. rewrite <- app_assoc, firstn_app, (firstn_all2 y) in * by lia.
    pose proof (counts_nonneg a). pose proof (counts_nonneg x). counting.
    pose proof (counts_nonneg (firstn (m - length y) (c ++ r))). lia.
Qed.
End Forgive.

(** ** Why no rule that spends forgiveness from the past on

    One window in M is forgiven, from the first one on, and the next incomplete one within M ends the run. [since]
    counts the windows from the forgiven one on. The oldest window comes first. *)
Fixpoint spending (m : nat) (run : Z) (since : option nat) (l : list bool) : Z :=
  match l with
  | [] => run
  | true :: l => spending m (run + 1) (option_map S since) l
  | false :: l =>
    if run =? 0 then spending m 0 None l
    else if match since with Some k => (S k <? m)%nat | None => false end then spending m 0 None l
    else spending m run (Some O) l
  end.
Definition days := map (Z.eqb 1).
(** Of `forgive 1 in 7 days`, an entry on day 3 would take a day away, against LAW-01 … *)
Example spending_breaks_logging :
  spending 7 0 None (days [1; 0; 0; 1; 0; 1; 1; 1]) = 4 /\ spending 7 0 None (days [1; 0; 1; 1; 0; 1; 1; 1]) = 3.
Proof. split; reflexivity. Qed.
(** … and with the longest stretch it adds one. *)
Example stretches_do_not :
  value_of 1 7 (rev (days [1; 0; 0; 1; 0; 1; 1; 1])) = 4 /\ value_of 1 7 (rev (days [1; 0; 1; 1; 0; 1; 1; 1])) = 5.
Proof. split; reflexivity. Qed.

(** The rows of streaks and momentum in [Windows.v] hold of any reading and of the `best` of any streak. *)

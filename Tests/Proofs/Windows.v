(** Windows of completions and what is read of them: streaks, momentum, days and counts.

    A sequence lists the states of the windows from window 0 back (WIN-01). *)

From Metricc Require Export Soundness.

Inductive state := Done | Rest | Open.

(** STR-01, STR-02: rest windows are skipped. *)
Fixpoint current (s : list state) : Z :=
  match s with Done :: s => 1 + current s | Rest :: s => current s | _ => 0 end.
(** STR-03: the largest streak read from the windows 0 to n, those of rest included. *)
Fixpoint grace (n : nat) (s : list state) : Z :=
  match n, s with S n, _ :: r => Z.max (current s) (grace n r) | _, _ => current s end.
(** STR-05: skip the current streak and the incomplete windows before it. *)
Fixpoint skip_run s := match s with Done :: r | Rest :: r => skip_run r | _ => s end.
Fixpoint skip_gap s := match s with Open :: r | Rest :: r => skip_gap r | _ => s end.
Definition previous s := current (skip_gap (skip_run s)).
(** MOM-02: the weights of complete windows, which fall and are not negative; k counts the windows without rest. *)
Fixpoint strength (w : nat -> Z) (k : nat) (s : list state) : Z :=
  match s with
  | Rest :: s => strength w k s
  | Done :: s => w k + strength w (S k) s
  | Open :: s => strength w (S k) s
  | [] => 0
  end.
(** In billionths. MOM-01: the complete ones among the first n that do not rest. *)
Definition half_life w s := rdiv (Z.min (1000 * scale) (strength w 0 s)) 1000.
Definition first_ones n k := if (k <? n)%nat then 1 else 0.
Definition momentum n s := strength (first_ones n) 0 s.
Fixpoint count_done (s : list state) : Z :=
  match s with Done :: s => 1 + count_done s | _ :: s => count_done s | [] => 0 end.

(** When facts are added, complete windows stay complete, those of rest rest or are complete, others are free. *)
Definition better_state a b : Prop :=
  match a, b with Open, _ | Rest, Rest | Rest, Done | Done, Done => True | _, _ => False end.
Definition better := Forall2 better_state.
Definition no_done s := ~ In Done s.

(** What a reading of windows needs for its row. *)
Definition reads (read : list state -> Z) (high : Z) : Prop :=
  (forall s t, better s t -> read s <= read t) /\ (forall s, 0 <= read s <= high \/ high = limit /\ 0 <= read s)
  /\ (forall s, no_done s -> read s = 0).

Ltac windows H := induction H as [|a b s t H _ IH]; [|destruct a, b; try destruct H]; cbn [current count_done].

Lemma current_nonneg s : 0 <= current s.
Proof. induction s as [|[] s IH]; cbn [current]; lia. Qed.
Lemma current_mono s t : better s t -> current s <= current t.
Proof.
  intros H. windows H; try lia; pose proof (current_nonneg t); lia.
Qed.
Lemma current_none s : no_done s -> current s = 0.
Proof. unfold no_done. induction s as [|[] s IH]; cbn; intuition. Qed.
Lemma grace_mono n s t : better s t -> grace n s <= grace n t.
Proof.
  intros H. revert n. induction H as [|a b s t H H' IH]; intros [|n]; cbn [grace]; try lia.
  - apply current_mono. now constructor.
  - pose proof (current_mono (a :: s) (b :: t) ltac:(now constructor)). specialize (IH n). lia.
Qed.
Lemma grace_none n s : no_done s -> grace n s = 0.
Proof.
  revert s. induction n; intros s H; [destruct s; now apply current_none|]. destruct s as [|a s]; [reflexivity|].
  cbn [grace]. rewrite current_none by auto. rewrite IHn; [reflexivity|]. intros I. apply H. cbn. auto.
Qed.
Lemma grace_reads n : reads (fun s => scale * grace n s) limit.
Proof.
  assert (P : forall n s, 0 <= grace n s).
  { clear n. induction n; intros [|a s]; cbn [grace]; try apply current_nonneg. pose proof (current_nonneg (a :: s)).
    lia. }
  split; [|split]; intros s; [intros t H; pose proof (grace_mono n s t H)|pose proof (P n s)|
    intros H; rewrite (grace_none n s H)]; unfold scale; lia.
Qed.
Lemma current_reads : reads (fun s => scale * current s) limit.
Proof. exact (grace_reads 0). Qed.

(** Where no complete window lies behind an incomplete one, only their number counts. *)
Fixpoint compact (s : list state) : Prop :=
  match s with [] => True | Open :: s => no_done s | _ :: s => compact s end.
Definition by_count (read : list state -> Z) :=
  exists g, (forall m n, 0 <= m <= n -> g m <= g n) /\ forall s, compact s -> read s = g (count_done s).
Lemma count_nonneg s : 0 <= count_done s.
Proof. induction s as [|[] s IH]; cbn [count_done]; lia. Qed.
Lemma count_none s : no_done s -> count_done s = 0.
Proof. unfold no_done. induction s as [|[] s IH]; cbn [count_done In]; intuition. Qed.
Lemma count_skipn k s : count_done (skipn k s) <= count_done s.
Proof. revert s. induction k; intros [|a s]; cbn [skipn]; try lia. specialize (IHk s).
  destruct a; cbn [count_done]; lia. Qed.
Lemma compact_current s : compact s -> current s = count_done s.
Proof.
  induction s as [|[] s IH]; cbn [compact current count_done]; auto; intros H; [now rewrite IH|].
  now rewrite count_none.
Qed.
Lemma grace_by_count n : by_count (fun s => scale * grace n s).
Proof.
  exists (fun n => scale * n). split; [unfold scale; lia|]. intros s H. f_equal. revert s H.
  induction n; intros [|a s] H; try (now apply compact_current). cbn [grace].
    rewrite (compact_current (a :: s)) by auto.
  destruct a; cbn [compact count_done] in *; try (rewrite IHn by auto; lia).
  rewrite grace_none, count_none by auto. reflexivity.
Qed.

(** Momentum and half-life: any monotone function of the strength. *)
Section Weights.
Variable w : nat -> Z.
Hypothesis w_falls : forall k, 0 <= w (S k) <= w k.
Fixpoint sum_from (k n : nat) : Z := match n with O => 0 | S n => w k + sum_from (S k) n end.
Lemma w_nonneg k : 0 <= w k.
Proof. destruct k; pose proof (w_falls 0); [|pose proof (w_falls k)]; lia. Qed.
Lemma strength_step k s : strength w (S k) s <= strength w k s <= w k + strength w (S k) s.
Proof.
  revert k. induction s as [|[] s IH]; intros k; pose proof (w_falls k); cbn [strength]; [lia| |apply IH|];
    specialize (IH (S k)); lia.
Qed.
Lemma strength_mono k s t : better s t -> strength w k s <= strength w k t.
Proof.
  intros H. revert k. induction H as [|a b s t H _ IH]; intros k; [cbn; lia|].
  pose proof (w_falls k). destruct a, b; try destruct H; cbn [strength]; pose proof (IH k); pose proof (IH (S k));
    pose proof (strength_step k t); pose proof (strength_step k s); lia.
Qed.
Lemma strength_range k s : 0 <= strength w k s <= sum_from k (length s).
Proof.
  revert k. induction s as [|a s IH]; intros k; cbn [strength length sum_from]; [lia|].
  pose proof (w_nonneg k). pose proof (IH (S k)). pose proof (strength_step k s). destruct a; lia.
Qed.
Lemma strength_none k s : no_done s -> strength w k s = 0.
Proof. unfold no_done. revert k. induction s as [|[] s IH]; intros k H; cbn in *; try tauto; auto. Qed.
Lemma strength_compact k s : compact s -> strength w k s = sum_from k (Z.to_nat (count_done s)).
Proof.
  revert k. induction s as [|[] s IH]; intros k H; cbn [compact strength count_done] in *; auto.
  - rewrite IH by auto. pose proof (count_nonneg s).
    now replace (Z.to_nat (1 + count_done s)) with (S (Z.to_nat (count_done s))) by lia.
  - now rewrite strength_none, count_none by auto.
Qed.
Lemma sum_from_mono a b k : (a <= b)%nat -> sum_from k a <= sum_from k b.
Proof.
  revert b k. induction a; intros b k L; cbn [sum_from].
  - clear L. revert k. induction b; intros k; cbn [sum_from]; [lia|]. pose proof (w_nonneg k).
      specialize (IHb (S k)). lia.
  - destruct b; [lia|]. cbn [sum_from]. specialize (IHa b (S k) ltac:(lia)). lia.
Qed.
Lemma weighted_reads g high : (forall x y, x <= y -> g x <= g y) -> g 0 = 0 ->
  (forall s, g (strength w 0 s) <= high) -> reads (fun s => g (strength w 0 s))
    high /\ by_count (fun s => g (strength w 0 s)).
Proof.
  intros M Z0 H. split; [split; [|split]|].
  - intros s t B. now apply M, strength_mono.
  - intros s. left. split; auto. rewrite <- Z0. apply M, strength_range.
  - intros s N. now rewrite strength_none.
  - exists (fun n => g (sum_from 0 (Z.to_nat n))). split; [intros m n L; apply M, sum_from_mono; lia|].
    intros s C. now rewrite strength_compact.
Qed.
End Weights.
Lemma half_life_reads w : (forall k, 0 <= w (S k) <= w k) -> reads (half_life w) scale /\ by_count (half_life w).
Proof.
  intros W. apply (weighted_reads w W (fun x => rdiv (Z.min (1000 * scale) x) 1000)); [|reflexivity|];
    intros; [|rewrite <- (rdiv_exact scale 1000) at 2 by lia]; apply rdiv_mono; unfold scale; lia.
Qed.
Lemma first_ones_fall n k : 0 <= first_ones n (S k) <= first_ones n k.
Proof. unfold first_ones. destruct (Nat.ltb_spec (S k) n), (Nat.ltb_spec k n); lia. Qed.
Lemma momentum_range n s : 0 <= momentum n s <= Z.of_nat n.
Proof.
  pose proof (strength_range _ (first_ones_fall n) 0 s) as R. unfold momentum. split; [lia|].
  assert (B : forall j k, sum_from (first_ones n) k j <= Z.max 0 (Z.of_nat n - Z.of_nat k));
    [|specialize (B (length s) 0%nat); lia].
  induction j; intros k; cbn [sum_from]; [lia|]. specialize (IHj (S k)). unfold first_ones at 1.
  destruct (Nat.ltb_spec k n); lia.
Qed.
Lemma momentum_reads n : reads (fun s => scale * momentum n s) (scale * Z.of_nat n)
  /\ by_count (fun s => scale * momentum n s).
Proof.
  apply (weighted_reads (first_ones n) (first_ones_fall n) (Z.mul scale)); unfold scale; try lia.
  intros s. pose proof (momentum_range n s). unfold momentum in *. lia.
Qed.

Lemma greatest_le l l' : (forall y, In y l' -> 0 <= y) -> (forall x, In x l -> exists y, In y l' /\ x <= y) ->
  greatest_of l <= greatest_of l'.
Proof.
  intros P H. destruct l as [|x l]; [destruct l' as [|y l']; [reflexivity|]; apply P, (best_in true); discriminate|].
  destruct (H (greatest_of (x :: l))) as (y & I & L); [apply (best_in true); discriminate|].
  pose proof (greatest_ge l' y I). lia.
Qed.
Lemma greatest_nonneg l : (forall y, In y l -> 0 <= y) -> 0 <= greatest_of l.
Proof. intros P. apply (greatest_le []); auto. intros x []. Qed.
Lemma greatest_0 l : (forall y, In y l -> y = 0) -> greatest_of l = 0.
Proof. intros H. destruct l as [|x l]; [reflexivity|]. apply H, (best_in true). discriminate. Qed.

(** * Completions: windows that end on days, their conditions, and presence *)
Section Completion.
(** No day lies before [epoch] (TEXT-08). [prev] is the last day of the window before the one that ends on a day:
    WIN-01 and WIN-02 below. *)
Variables (epoch : Z) (prev : Z -> Z).
Hypothesis prev_before : forall e, prev e < e.
Variables (when rest : world -> value) (present : world -> bool).
Hypothesis present_needs_facts : forall w, no_data w -> present w = false.

Definition at_day w e := World (facts w) (settings w) e.
(** CMP-01, WIN-06, WIN-07 *)
Definition done w := present w && is (when w) scale.
Definition rests w := is (rest w) scale.
Definition state_of w := if done w then Done else if rests w then Rest else Open.
Fixpoint ends (fuel : nat) (e : Z) : list Z :=
  match fuel with O => [] | S n => if e <? epoch then [] else e :: ends n (prev e) end.
Definition fuel e := Z.to_nat (e - epoch + 1).
Definition windows_at w e := map (fun d => state_of (at_day w d)) (ends (fuel e) e).
Definition states w := windows_at w (today w).

Variable good : world -> Prop.
Definition everywhere w := forall e, e <= today w -> good (at_day w e).
(** Neither `when` nor, where it matters, `rest when` stops being true when facts are added. *)
Definition stays_done :=
  forall w w', step Added w w' -> good w -> good w' -> done w = true -> done w' = true.
Definition stays_resting :=
  forall w w', step Added w w' -> good w -> good w' -> done w' = false -> rests w = true -> rests w' = true.

Lemma ends_below n e d : In d (ends n e) -> epoch <= d <= e.
Proof.
  revert e. induction n; intros e; cbn; [tauto|]. destruct (e <? epoch) eqn:E; [cbn; tauto|].
  intros [<-|H]; [lia|]. apply IHn in H. pose proof (prev_before e). lia.
Qed.
Lemma ends_fuel n m e : (fuel e <= n)%nat -> (fuel e <= m)%nat -> ends n e = ends m e.
Proof.
  unfold fuel. revert m e. induction n; intros [|m] e Hn Hm; cbn; auto;
    destruct (e <? epoch) eqn:E; auto; try lia. f_equal. pose proof (prev_before e). apply IHn; lia.
Qed.
(** A chain of windows that reaches t holds those that end at t. *)
Lemma ends_reach (chain : Z -> Prop) t t' : t <= t' -> chain t' ->
  (forall e, chain e -> t < e -> t <= prev e /\ chain (prev e)) ->
  exists k, ends (fuel t) t = skipn k (ends (fuel t') t').
Proof.
  remember (Z.to_nat (t' - t)) as n eqn:En. revert t' En. induction n as [n IH] using lt_wf_ind.
  intros t' -> L C H. destruct (Z.eq_dec t t') as [->|N]; [exists 0%nat; reflexivity|].
  pose proof (prev_before t'). destruct (H t' C ltac:(lia)) as [H1 H2].
  destruct (IH (Z.to_nat (prev t' - t)) ltac:(lia) (prev t') eq_refl H1 H2 H) as [k K].
  destruct (Z_lt_dec t' epoch).
  - exists 0%nat. unfold fuel. replace (Z.to_nat (t - epoch + 1)) with 0%nat by lia.
    replace (Z.to_nat (t' - epoch + 1)) with 0%nat by lia. reflexivity.
  - exists (S k). rewrite K. replace (fuel t') with (S (Z.to_nat (t' - epoch))) by (unfold fuel; lia).
    cbn [ends]. replace (t' <? epoch) with false by lia. cbn [skipn]. f_equal. apply ends_fuel; auto; unfold fuel; lia.
Qed.
Lemma added_at w w' e : step Added w w' -> step Added (at_day w e) (at_day w' e).
Proof. intros S. inversion S; subst. now constructor. Qed.
Lemma added_today w w' : step Added w w' -> today w = today w'.
Proof. intros S. now inversion S. Qed.
Lemma states_better w w' e :
  stays_done -> stays_resting -> step Added w w' -> everywhere w -> everywhere w' -> e <= today w ->
  better (windows_at w e) (windows_at w' e).
Proof.
  intros D R S G G' L. unfold windows_at. pose proof (ends_below (fuel e) e) as B.
  induction (ends (fuel e) e) as [|d ds IH]; cbn; constructor; [|apply IH; cbn in B; auto].
  specialize (B d (or_introl eq_refl)). pose proof (added_at w w' d S) as S'. pose proof (added_today w w' S).
  specialize (D _ _ S' (G d ltac:(lia)) (G' d ltac:(lia))). specialize (R _ _ S' (G d ltac:(lia)) (G' d ltac:(lia))).
  unfold state_of. destruct (done (at_day w d)); [rewrite D by auto; exact I|].
  destruct (done (at_day w' d)); [destruct (rests _); exact I|].
  destruct (rests (at_day w d)); [rewrite R by auto|destruct (rests _)]; exact I.
Qed.
(** *Never*: no window is complete. *)
Definition never_done w := forall d, done (at_day w d) = false.
Lemma nothing_done w : no_data w -> never_done w.
Proof. intros N d. unfold done. now rewrite present_needs_facts. Qed.
Lemma never_no_done w ds : never_done w -> no_done (map (fun d => state_of (at_day w d)) ds).
Proof.
  intros N H. apply in_map_iff in H. destruct H as (d & H & _). unfold state_of in H. rewrite N in H.
  destruct (rests _); discriminate.
Qed.
(** The rows. *)
Definition windows_row (high : Z) (f : bool) (passing : moves) :=
  B (range 0 high) (exactly 0) (M true f false false) passing.
Definition completion_row (f : bool) :=
  B (range 0 scale) (exactly 0) (if f then all_moves else M true false false true) all_moves.

Theorem completion_sound (f : bool) :
  (f = false -> stays_done) -> sound true (completion_row f) good (fun w => Some (of_bool (done w))).
Proof.
  intros D. split; [|split]; cbn -[of_bool scale].
  - intros w _. split; auto. destruct (done w); cbn; unfold scale; lia.
  - intros w _ N. unfold done. rewrite present_needs_facts by auto. cbn. split; auto. lia.
  - intros ax w w' S G G'. destruct ax; [|apply all_ok]. destruct f; [apply all_ok|].
    specialize (D eq_refl w w' S G G').
    unfold ok_bool, is. rewrite !is_of_bool_true, !is_of_bool_false. bits.
    destruct (done w); [rewrite D by auto|]; repeat split; auto; discriminate.
Qed.

(** A number from 0 that is 0 without facts, and that facts, or days, never lower. *)
Lemma grows_sound (n : world -> Z) high (f lasts : bool) (ok : world -> Prop) :
  (forall w, ok w -> 0 <= n w <= high) -> (forall w, no_data w -> n w = 0) ->
  (f = false -> forall w w', step Added w w' -> ok w -> ok w' -> n w <= n w') ->
  (lasts = true -> forall w w', step Passing w w' -> ok w -> ok w' -> n w <= n w') ->
  sound false (windows_row high f (M true (negb lasts) false false)) ok (fun w => Some (n w)).
Proof.
  intros R N A P. split; [|split]; cbn; auto.
  - intros w _ D. rewrite N by auto. split; auto. lia.
  - intros ax w w' S G G'. destruct ax; cbn; split; auto; intros L; [destruct f|destruct lasts]; auto;
      [specialize (A eq_refl w w' S G G')|specialize (P eq_refl w w' S G G')]; lia.
Qed.

Definition reading (read : list state -> Z) w : value := Some (read (states w)).
Definition all_fit f w := everywhere w /\ fits (f w).
Lemma reads_range read high w : reads read high -> fits (reading read w) -> 0 <= read (states w) <= high.
Proof. intros (_ & R & _) F. cbn in F. destruct (R (states w)) as [H|[-> H]]; lia. Qed.
Lemma reads_nothing read high w : reads read high -> never_done w -> read (states w) = 0.
Proof. intros (_ & _ & R) N. now apply R, never_no_done. Qed.
Theorem windows_sound read high (f : bool) : reads read high -> (f = false -> stays_done /\ stays_resting) ->
  sound false (windows_row high f (M true true false false)) (all_fit (reading read)) (reading read).
Proof.
  intros R K. apply (grows_sound (fun w => read (states w)) high f false);
    [|eauto using reads_nothing, nothing_done| |discriminate].
  - intros w [_ F]. now apply reads_range.
  - intros E w w' S [G _] [G' _]. destruct (K E) as [D Rs]. unfold states. rewrite <- (added_today w w' S).
    apply R, states_better; auto. lia.
Qed.

(** `best`: the greatest streak on any day up to r (STR-04), of streaks that are [current] or forgive. *)
Definition days_to r := map (fun i => epoch + Z.of_nat i) (seq 0 (fuel r)).

Lemma days_to_spec r d : In d (days_to r) <-> epoch <= d <= r.
Proof.
  unfold days_to, fuel. rewrite in_map_iff. setoid_rewrite in_seq. split.
  - intros (i & <- & H). lia. - intros H. exists (Z.to_nat (d - epoch)). lia.
Qed.
Section Best.
Variable run : list state -> Z.
Hypothesis run_reads : reads (fun s => scale * run s) limit.
Definition best_days w := map (fun d => run (windows_at w d)) (days_to (today w)).
Definition best w := greatest_of (best_days w).

Lemma run_nonneg s : 0 <= run s.
Proof. destruct run_reads as (_ & R & _). specialize (R s). unfold scale in R. lia. Qed.
Lemma best_day_nonneg w y : In y (best_days w) -> 0 <= y.
Proof. unfold best_days. rewrite in_map_iff. intros (d & <- & _). apply run_nonneg. Qed.

(** Streaks on each day grow with the facts, by [states_better] or, below, where windows lose nothing. *)
Definition streaks_grow := forall w w' e, step Added w w' -> everywhere w -> everywhere w' -> e <= today w ->
  run (windows_at w e) <= run (windows_at w' e).
Lemma resting_streaks_grow : stays_done -> stays_resting -> streaks_grow.
Proof.
  intros D R w w' e S G G' L. destruct run_reads as (M & _).
  specialize (M _ _ (states_better w w' e D R S G G' L)). unfold scale in M. lia.
Qed.
(** LAW-04: a best never falls as days pass, and no streak is above it. *)
Theorem best_never_falls fs s r r' : r <= r' -> best (World fs s r) <= best (World fs s r').
Proof.
  intros L. apply greatest_le; [apply best_day_nonneg|]. intros x Hx. exists x. split; [|apply Z.le_refl].
  unfold best_days in *. rewrite in_map_iff in *. destruct Hx as (d & E & H). exists d. split; [exact E|].
  rewrite days_to_spec in *. cbn in *. lia.
Qed.
Theorem best_sound (f : bool) : (f = false -> streaks_grow) ->
  sound false (windows_row limit f (M true false false false)) (all_fit (fun w => Some (scale * best w)))
    (fun w => Some (scale * best w)).
Proof.
  intros K. apply (grows_sound (fun w => scale * best w) limit f true).
  - intros w [_ F]. cbn in F. pose proof (greatest_nonneg _ (best_day_nonneg w)). unfold best, scale in *. lia.
  - intros w N. unfold best. rewrite greatest_0; [reflexivity|]. intros x Hx. apply in_map_iff in Hx.
    destruct Hx as (d & <- & _). destruct run_reads as (_ & _ & R).
      specialize (R (windows_at w d) (never_no_done w _ (nothing_done w N))).
    unfold scale in R. lia.
  - intros E w w' S [G _] [G' _]. apply Z.mul_le_mono_nonneg_l; [discriminate|].
    apply greatest_le; [apply best_day_nonneg|]. intros x Hx. apply in_map_iff in Hx. destruct Hx as (d & <- & Hd).
    exists (run (windows_at w' d)). apply days_to_spec in Hd as Hd'. split; [|apply (K E); tauto].
    apply (in_map (fun d => run (windows_at w' d))). now rewrite <- (added_today w w' S).
  - intros _ w w' S _ _. inversion S; subst. apply Z.mul_le_mono_nonneg_l; [discriminate|]. now apply best_never_falls.
Qed.
Theorem current_at_most_best w : run (states w) <= best w.
Proof.
  destruct (Z_lt_dec (today w) epoch).
  - assert (E : run [] = 0)
      by (destruct run_reads as (_ & _ & R); specialize (R [] (fun x => x)); unfold scale in R; lia).
    unfold states, windows_at, fuel. replace (Z.to_nat _) with 0%nat by lia. cbn. rewrite E.
    apply greatest_nonneg, best_day_nonneg.
  - apply greatest_ge, (in_map (fun d => run (windows_at w d))), days_to_spec. lia.
Qed.
End Best.
Lemma ends_tail k e : exists d, (d = e \/ d < e) /\ skipn k (ends (fuel e) e) = ends (fuel d) d.
Proof.
  revert e. induction k; intros e; [exists e; auto|]. destruct (ends (fuel e) e) as [|d ds] eqn:E.
  - exists e. split; auto.
  - unfold fuel in E. destruct (Z.to_nat (e - epoch + 1)) as [|n] eqn:F; [discriminate|]. cbn in E.
    destruct (e <? epoch) eqn:Q; [discriminate|]. injection E as <- <-. cbn [skipn]. pose proof (prev_before e).
    rewrite (ends_fuel n (fuel (prev e))) by (unfold fuel; lia).
    destruct (IHk (prev e)) as (x & X & Y). exists x. split; [lia|exact Y].
Qed.
Lemma tail_at_most_best w k : current (skipn k (states w)) <= best current w.
Proof.
  unfold states, windows_at. rewrite skipn_map. destruct (ends_tail k (today w)) as (d & L & ->).
  destruct (Z_lt_dec d epoch).
  - unfold fuel. replace (Z.to_nat (d - epoch + 1)) with 0%nat by lia. cbn.
    apply greatest_nonneg, best_day_nonneg, current_reads.
  - apply greatest_ge, (in_map (fun d => current (windows_at w d))), days_to_spec. lia.
Qed.
Lemma skip_run_tail s : exists k, skip_run s = skipn k s.
Proof. induction s as [|[] s [k IH]]; cbn; try (exists (S k); exact IH); exists 0%nat; reflexivity. Qed.
Lemma skip_gap_tail s : exists k, skip_gap s = skipn k s.
Proof. induction s as [|[] s [k IH]]; cbn; try (exists (S k); exact IH); exists 0%nat; reflexivity. Qed.
Lemma skipn_twice {A} n k (l : list A) : skipn n (skipn k l) = skipn (k + n) l.
Proof. revert l. induction k; intros [|a l]; cbn; auto. apply skipn_nil. Qed.
Theorem previous_at_most_best w : previous (states w) <= best current w.
Proof.
  unfold previous. destruct (skip_gap_tail (skip_run (states w))) as [k ->], (skip_run_tail (states w)) as [n ->].
  rewrite skipn_twice. apply tail_at_most_best.
Qed.
Theorem grace_at_most_best n w : grace n (states w) <= best current w.
Proof.
  assert (K : forall n k, grace n (skipn k (states w)) <= best current w); [|apply (K n 0%nat)].
  clear n. induction n; intros k; pose proof (tail_at_most_best w k) as T.
  - destruct (skipn k _); exact T.
  - specialize (IHn (S k)). destruct (skipn k (states w)) as [|a s] eqn:E; [exact T|]. cbn [grace].
    replace (S k) with (k + 1)%nat in IHn by lia. rewrite <- skipn_twice, E in IHn. cbn [skipn] in IHn. lia.
Qed.

(** ** Windows that lose nothing as days pass *)

(** *Lasting*: `when` and presence last. *Unbroken*: windows are days, each complete or of rest. *)
Definition lasting w := forall d d', d <= d' -> done (at_day w d) = true -> done (at_day w d') = true.
Definition unbroken w :=
  (forall e, prev e = e - 1) /\ forall d, done (at_day w d) = true \/ rests (at_day w d) = true.
Hypothesis prev_mono : forall e e', e <= e' -> prev e <= prev e'.

Lemma no_done_below w n e : lasting w -> done (at_day w e) = false ->
  no_done (map (fun d => state_of (at_day w d)) (ends n e)).
Proof.
  intros L N H. apply in_map_iff in H. destruct H as (d & H & I). apply ends_below in I.
  unfold state_of in H. destruct (done (at_day w d)) eqn:E; [|destruct (rests _); discriminate].
  rewrite (L d e) in N; auto; [discriminate|lia].
Qed.
Lemma windows_compact w e : lasting w \/ unbroken w -> compact (windows_at w e).
Proof.
  intros H. unfold windows_at. generalize (fuel e). intros n. revert e.
  induction n as [|n IH]; intros e; cbn [ends map]; [exact I|]. destruct (e <? epoch); [exact I|].
  cbn [map compact]. unfold state_of at 1. destruct (done (at_day w e)) eqn:D; [apply IH|].
  destruct (rests (at_day w e)) eqn:R; [apply IH|]. destruct H as [H|[_ H]]; [|destruct (H e); congruence].
  apply no_done_below; auto. destruct (done (at_day w (prev e))) eqn:Q; auto. pose proof (prev_before e).
  rewrite (H (prev e) e) in D; auto; try discriminate. lia.
Qed.
Lemma lasting_more w n n' e e' : lasting w -> e <= e' -> (fuel e <= n)%nat -> (fuel e' <= n')%nat ->
  count_done (map (fun d => state_of (at_day w d)) (ends n e))
    <= count_done (map (fun d => state_of (at_day w d)) (ends n' e')).
Proof.
  set (f := fun d => state_of (at_day w d)). intros H. revert n' e e'.
  induction n as [|n IH]; intros n' e e' L F F'; cbn [ends]; [apply count_nonneg|].
  destruct (e <? epoch) eqn:E; [apply count_nonneg|]. destruct n' as [|n']; [unfold fuel in *; lia|].
  cbn [ends]. replace (e' <? epoch) with false by lia. pose proof (prev_before e). pose proof (prev_before e').
  specialize (IH n' (prev e) (prev e') (prev_mono e e' L)).
  assert (J : f e = Done -> f e' = Done).
  { unfold f, state_of. destruct (done (at_day w e)) eqn:D; [intros _; now rewrite (H e e')|].
    destruct (rests _); discriminate. }
  cbn [map]. unfold fuel in *. specialize (IH ltac:(lia) ltac:(lia)).
  destruct (f e); [rewrite J by auto|destruct (f e')|destruct (f e')]; cbn [count_done]; lia.
Qed.
Lemma unbroken_more w e e' : unbroken w -> e <= e' -> count_done (windows_at w e) <= count_done (windows_at w e').
Proof.
  intros [P _] L. unfold windows_at. destruct (ends_reach (fun _ => True) e e' L I) as [k ->].
  - intros d _ D. rewrite P. split; [lia|exact I].
  - rewrite <- skipn_map. apply count_skipn.
Qed.
Lemma added_more w w' ds e : stays_done -> step Added w w' -> everywhere w -> everywhere w' -> e <= today w ->
  (forall d, In d ds -> d <= e) ->
  count_done (map (fun d => state_of (at_day w d)) ds) <= count_done (map (fun d => state_of (at_day w' d)) ds).
Proof.
  intros K S G G' L. pose proof (added_today w w' S). induction ds as [|d ds IH]; intros B; cbn [map]; [cbn; lia|].
  specialize (IH (fun x Hx => B x (in_cons d x ds Hx))). specialize (B d (in_eq d ds)). unfold state_of at 1 3.
  specialize (K _ _ (added_at w w' d S) (G d ltac:(lia)) (G' d ltac:(lia))).
  destruct (done (at_day w d)); [rewrite K by auto; cbn [count_done]; lia|].
  destruct (rests (at_day w d)), (done (at_day w' d)), (rests (at_day w' d)); cbn [count_done]; lia.
Qed.
Definition keeps_windows w := everywhere w /\ (lasting w \/ unbroken w).
(** A rest that ends changes nothing there. *)
Theorem kept_windows_sound read high (f : bool) : reads read high -> by_count read -> (f = false -> stays_done) ->
  sound false (windows_row high f (M true false false false)) (fun w => keeps_windows w /\ fits (reading read w))
    (reading read).
Proof.
  intros R (g & Mg & Hg) K.
  assert (M : forall w w', keeps_windows w -> keeps_windows w' -> count_done (states w) <= count_done (states w') ->
    read (states w) <= read (states w')).
  { intros w w' [_ L] [_ L'] Q. unfold states in *. rewrite !Hg by now apply windows_compact. apply Mg.
    split; [apply count_nonneg|exact Q]. }
  apply (grows_sound (fun w => read (states w)) high f true); [|eauto using reads_nothing, nothing_done| |].
  - intros w [_ F]. now apply reads_range.
  - intros E w w' S [G _] [G' _]. apply M; auto. unfold states. rewrite <- (added_today w w' S).
    apply (added_more w w' _ (today w)); auto; try apply G; try apply G'; [lia|]. intros d. apply ends_below.
  - intros _ w w' S [G _] [G' _]. apply M; auto. inversion S as [|fs s r r' Le]; subst. unfold states. cbn [today].
    destruct G as [_ [L|L]].
    + unfold windows_at. apply (lasting_more (World fs s r)); auto.
    + now apply (unbroken_more (World fs s r)).
Qed.
Lemma kept_streaks_grow run : by_count (fun s => scale * run s) ->
  stays_done -> (forall w, everywhere w -> lasting w \/ unbroken w) -> streaks_grow run.
Proof.
  intros (g & Mg & Hg) K L w w' e S G G' Le. apply (Z.mul_le_mono_pos_l _ _ scale); [reflexivity|].
  rewrite !Hg by now apply windows_compact, L. apply Mg. split; [apply count_nonneg|].
  apply (added_more w w' _ e); auto. intros d. apply ends_below.
Qed.

(** Without complete windows every reading is 0. *)
Lemma never_sound read high : reads read high ->
  sound false (constant (exactly 0)) (fun w => everywhere w /\ never_done w) (reading read).
Proof.
  intros R. split; [|split]; [intros w [_ N]|intros w [_ N] _|intros ax w w' _ [_ N] [_ N']]; unfold reading;
    rewrite !(reads_nothing read high) by auto; [cbn; split; auto; lia..|apply (ok_same false)].
Qed.

(** ** Presence *)

(** A fact that is there stays. *)
Definition presence_stays := forall w w', step Added w w' -> present w = true -> present w' = true.
Lemma never_stops b (P : world -> Prop) f w w' : falls (added b) = false -> sound true b P f -> step Added w w' ->
  P w -> P w' -> is (f w) scale = true -> is (f w') scale = true.
Proof.
  intros F (_ & _ & H) S Pw Pw' E. destruct (H Added w w' S Pw Pw') as (_ & K & _). cbn [moves_of] in K.
  destruct (is (f w') scale); auto. now rewrite K in F.
Qed.
(** *Presence*: f is ruled out by what is known with presence, or without it. *)
Lemma presence_keeps_done b :
  presence_stays -> falls (added b) = false -> sound true b (fun w => good w /\ present w = true) when -> stays_done.
Proof.
  intros P F H w w' S G G' D. unfold done in *. apply andb_prop in D. destruct D as [D1 D2].
  rewrite (P w w' S D1). exact (never_stops b _ when w w' F H S (conj G D1) (conj G' (P w w' S D1)) D2).
Qed.
(** *Certain*: where presence makes `when` true, an incomplete window has none. *)
Lemma certain_keeps_rest b :
  presence_stays -> falls (added b) = false ->
  (forall w, good w -> present w = true -> is (when w) scale = true) ->
  sound true b (fun w => good w /\ present w = false) rest -> stays_resting.
Proof.
  intros P F C H w w' S G G' D R. unfold done in D.
  assert (N' : present w' = false) by (destruct (present w') eqn:E; auto; rewrite C in D by auto; discriminate).
  assert (N : present w = false) by (destruct (present w) eqn:E; auto; rewrite (P w w') in N'; auto; discriminate).
  now apply (never_stops b _ rest w w' F H S).
Qed.
(** *Open*: where `when` is never true without presence, no incomplete window makes it true. *)
Lemma open_keeps_rest b :
  falls (added b) = false -> (forall w, good w -> present w = false -> is (when w) scale = false) -> stays_done ->
  sound true b (fun w => good w /\ is (when w) scale = false) rest -> stays_resting.
Proof.
  intros F C K H w w' S G G' D R.
  assert (O : forall v, good v -> done v = false -> is (when v) scale = false).
  { intros v Gv Dv. unfold done in Dv. destruct (present v) eqn:E; [exact Dv|now apply C]. }
  assert (D0 : done w = false) by (destruct (done w) eqn:E; auto; rewrite (K w w') in D; auto).
  apply (never_stops b _ rest w w' F H S); auto.
Qed.
(** An aggregate over facts that are not there is that of no data. *)
Lemma absent_sound l : (forall w, present w = false -> seen l w = []) ->
  sound (leaf_is_bool l) (constant (on_no_data (leaf_row l))) (fun w => leaf_sane l w /\ present w = false)
    (leaf_value l).
Proof.
  intros N. assert (E : forall w, present w = false -> leaf_value l w = leaf_value l (World [] [] 0)).
  { intros w P. assert (N0 : seen l (World [] [] 0) = []) by (unfold seen, records_of; now destruct (of_setting l)).
    unfold leaf_value, earliest_number, keyed, elements, days_seen. now rewrite (N w P), N0. }
  assert (W : within (on_no_data (leaf_row l)) (leaf_value l (World [] [] 0)))
    by (apply (leaf_on_no_data l (World [] [] 0)); split; reflexivity).
  split; [|split]; [intros w [_ P]|intros w [_ P] _|intros ax w w' _ [_ P] [_ P']]; rewrite ?(E w P); auto.
  rewrite (E w' P'). apply ok_same.
Qed.
(** With presence, an aggregate that sees each of the facts has one, and a value where none of them can miss it. *)
Lemma present_count l w : (exists f, In f (seen l w)) -> fn l = Count \/ fn l = Days ->
  exists z, leaf_value l w = Some z /\ scale <= z.
Proof.
  intros (f & H) K. unfold leaf_value, different, size. destruct K as [-> | ->]; eexists; (split; [reflexivity|]).
  - destruct (seen l w); [destruct H|]. cbn [length]. unfold scale. lia.
  - assert (I : In (scale * on f) (nodup Z.eq_dec (days_seen l w))) by (apply nodup_In;
      apply (in_map (fun f => scale * on f) _ _ H)).
    destruct (nodup _ _); [destruct I|]. cbn [length]. unfold scale. lia.
Qed.

(** ** count(c), first(c), last(c): OPD-04 to OPD-06 *)

(** The last days of the ways to tile the days up to r, and the windows inside a period, by their last day. *)
Variables (tiles : Z -> list Z) (inside : Z -> Z -> bool).
Hypothesis tiles_before : forall r t, In t (tiles r) -> t <= r.
Definition tile_counts w := map (fun t =>
  count_done (map (fun d => state_of (at_day w d)) (filter (inside (today w)) (ends (fuel t) t)))) (tiles (today w)).
Definition count_value w : value := Some (scale * greatest_of (tile_counts w)).
Definition extending := (forall r e, inside r e = true) /\ forall r r' t, r <= r' -> In t (tiles r) ->
  exists t', In t' (tiles r') /\ exists k, ends (fuel t) t = skipn k (ends (fuel t') t').
Definition at_most_windows (n : Z) := forall r t, In t (tiles r) -> size (filter (inside r) (ends (fuel t) t)) <= n.

Lemma count_size s : count_done s <= size s.
Proof. unfold size. induction s as [|[] s IH]; cbn [count_done length]; lia. Qed.
Lemma counts_nonneg w y : In y (tile_counts w) -> 0 <= y.
Proof. unfold tile_counts. rewrite in_map_iff. intros (t & <- & _). apply count_nonneg. Qed.
Lemma filter_true {A} (p : A -> bool) l : (forall x, p x = true) -> filter p l = l.
Proof. intros H. induction l as [|x l IH]; cbn; auto. now rewrite H, IH. Qed.

Lemma never_counted w : never_done w -> greatest_of (tile_counts w) = 0.
Proof.
  intros N. apply greatest_0. intros x H. apply in_map_iff in H. destruct H as (t & <- & _).
  apply count_none. now apply never_no_done.
Qed.
Theorem count_sound (f all : bool) most :
  (f = false -> stays_done) -> (most = limit \/ exists n, at_most_windows n /\ 0 <= n /\ most = scale * n) ->
  (all = true -> extending) ->
  sound false (windows_row most f (M true (negb all) false false)) (all_fit count_value) count_value.
Proof.
  intros K Mo P. apply (grows_sound (fun w => scale * greatest_of (tile_counts w)) most f all).
  - intros w [_ F]. cbn in F. pose proof (greatest_nonneg _ (counts_nonneg w)).
    split; [unfold scale; lia|]. destruct Mo as [->|(n & Hn & N & ->)]; [lia|].
    apply Z.mul_le_mono_nonneg_l; [discriminate|]. destruct (tile_counts w) eqn:E; [exact N|].
    assert (I : In (greatest_of (tile_counts w)) (tile_counts w)) by (apply (best_in true); rewrite E; discriminate).
    rewrite <- E. apply in_map_iff in I. destruct I as (t & <- & Ht). etransitivity; [apply count_size|].
    unfold size. rewrite map_length. now apply Hn.
  - intros w N. now rewrite never_counted by now apply nothing_done.
  - intros E w w' S [G _] [G' _]. apply Z.mul_le_mono_nonneg_l; [discriminate|].
    apply greatest_le; [apply counts_nonneg|]. intros x Hx. apply in_map_iff in Hx. destruct Hx as (t & <- & Ht).
    pose proof (added_today w w' S) as T. eexists. split; [apply in_map; rewrite <- T; exact Ht|]. rewrite <- T.
    apply (added_more w w' _ t); auto. intros d Hd. apply filter_In in Hd. apply (ends_below (fuel t) t), Hd.
  - intros E w w' S _ _. destruct (P E) as [All Ext]. inversion S as [|fs s r r' Le]; subst.
    apply Z.mul_le_mono_nonneg_l; [discriminate|].
    apply greatest_le; [apply counts_nonneg|]. intros x Hx. apply in_map_iff in Hx. destruct Hx as (t & <- & Ht).
    destruct (Ext r r' t Le Ht) as (t' & Ht' & k & E'). eexists. split; [apply in_map; exact Ht'|].
    rewrite !filter_true by auto. rewrite E', <- skipn_map. apply count_skipn.
Qed.

(** The days on which it held, in a period. *)
Definition days_done w := filter (fun d => done (at_day w d) && inside (today w) d) (days_to (today w)).
Definition day_done (up : bool) w : value := extreme up (map (Z.mul scale) (days_done w)).
Lemma days_done_spec w d :
  In d (days_done w) <-> epoch <= d <= today w /\ done (at_day w d) = true /\ inside (today w) d = true.
Proof. unfold days_done. now rewrite filter_In, days_to_spec, andb_true_iff. Qed.
Lemma days_done_added w w' : stays_done -> step Added w w' -> everywhere w -> everywhere w' ->
  incl (map (Z.mul scale) (days_done w)) (map (Z.mul scale) (days_done w')).
Proof.
  intros K S G G'. apply incl_map. intros d. rewrite !days_done_spec. pose proof (added_today w w' S) as T.
  rewrite <- T.
  intros (H & D & I). pose proof (K _ _ (added_at w w' d S) (G d ltac:(lia)) (G' d ltac:(lia)) D). auto.
Qed.
Lemma days_done_passing fs s r r' : (forall r e, inside r e = true) -> r <= r' ->
  incl (days_done (World fs s r)) (days_done (World fs s r')).
Proof. intros A L d. rewrite !days_done_spec, !A. cbn. unfold at_day. cbn. intuition lia. Qed.

(** `last`, or `first`: as days pass, no day that came before is added. *)
Definition held_row (up f all : bool) := B vany vnone (if f then all_moves else extreme_row up)
  (if all then M up false true false else all_moves).
Lemma never_held up w : never_done w -> day_done up w = None.
Proof.
  intros N. unfold day_done. destruct (days_done w) as [|d ds] eqn:E; [reflexivity|].
  assert (H : In d (days_done w)) by (rewrite E; cbn; auto). apply days_done_spec in H. rewrite N in H. easy.
Qed.
Theorem held_sound (up f all : bool) : (f = false -> stays_done) -> (all = true -> forall r e, inside r e = true) ->
  sound false (held_row up f all) (all_fit (day_done up)) (day_done up).
Proof.
  intros K A. split; [|split].
  - intros w [_ F]. cbn in F |- *. destruct (day_done up w); cbn in *; auto.
  - intros w _ N. now rewrite never_held by now apply nothing_done.
  - intros ax w w' S [G _] [G' _]. destruct ax; cbn [moves_of added passing held_row ok].
    + destruct f; [apply all_ok_number|]. apply extreme_grows, days_done_added; auto.
    + destruct all; [|apply all_ok_number]. specialize (A eq_refl). inversion S as [|fs s r r' L]; subst.
      pose proof (extreme_grows up _ _ (incl_map (Z.mul scale) (days_done_passing fs s r r' A L))) as Mi.
      fold (day_done up (World fs s r)) (day_done up (World fs s r')) in Mi.
      destruct (day_done up (World fs s r)) as [p|] eqn:P, (day_done up (World fs s r')) as [q|] eqn:Q;
        cbn in *; auto. split; [tauto|]. intros X. exfalso. destruct up; [now apply Mi in X|].
      assert (p = q); [|lia]. refine (first_stays (scale * r) _ _ p q _ P Q).
      intros z. rewrite !in_map_iff. setoid_rewrite days_done_spec. setoid_rewrite A. unfold at_day, scale. cbn -[Z.mul].
      split; [intros (d & <- & H)|intros [(d & <- & H) Le]]; try split; try exists d; intuition lia.
Qed.
End Completion.

(** Subjects as rows (OPD-07) and days as rows (OPD-09): what is counted or taken of some of them. *)

From Metricc Require Export Windows.

(** ** Rows before and after a step *)
Section Rows.
(** Each row that there can be; whether it is taken, and its number. *)
Variables (rows : list Z) (taken taken' : Z -> bool) (number number' : Z -> value).
Variables (chosen own : moves) (v : values).
Hypothesis gains : forall s, taken s = false -> taken' s = true -> rises chosen = true.
Hypothesis loses : forall s, taken s = true -> taken' s = false -> falls chosen = true.
Hypothesis stays : forall s, taken s = true -> taken' s = true -> ok_number own (number s) (number' s).
Hypothesis V : forall s, taken s = true -> within v (number s).
Hypothesis V' : forall s, taken' s = true -> within v (number' s).

Definition part (t : Z -> bool) (n : Z -> value) s : list Z :=
  if t s then match n s with Some z => [z] | None => [] end else [].
Definition parts t n := flat_map (part t n) rows.
Definition count_rows (t : Z -> bool) : value := Some (scale * size (filter t rows)).
Definition average xs : value := match xs with [] => None | _ => Some (rdiv (total xs) (size xs)) end.
Notation old := (parts taken number).
Notation new := (parts taken' number').

Lemma count_rows_moves : ok_number (order chosen) (count_rows taken) (count_rows taken').
Proof.
  assert (L : forall p q : Z -> bool,
    (exists s, p s = true /\ q s = false) \/ size (filter p rows) <= size (filter q rows)).
  { intros p q. induction rows as [|s ss [IH|IH]]; [right; reflexivity|now left|]. cbn [filter]. unfold size in *.
    destruct (p s) eqn:P, (q s) eqn:Q; cbn [length]; [right; lia|left; eauto|right; lia|right; lia]. }
  cbn. split; intros H; [destruct (L taken' taken) as [(s & A & B)|K]|destruct (L taken taken') as [(s & A & B)|K]];
    eauto; unfold scale in *; lia.
Qed.

Definition signs := M (may_pos v) (may_neg v) false false.
Definition sum_moves :=
  union (order own)
    (union (when (rises chosen || appears own) signs) (when (falls chosen || vanishes own) (mirrored signs))).
Lemma part_moves s : ok_number sum_moves (Some (total (part taken number s))) (Some (total (part taken' number' s))).
Proof.
  unfold part, sum_moves.
  assert (P : forall z, within v (Some z) -> (0 < z -> may_pos v = true) /\ (z < 0 -> may_neg v = true))
    by (intros z [Pz Bz]; unfold may_pos, may_neg; rewrite Pz; cbn; lia).
  pose proof (stays s) as S. pose proof (V s) as W. pose proof (V' s) as W'.
  destruct (taken s) eqn:C, (taken' s) eqn:D;
    [clear gains loses|rewrite (loses s C D)|rewrite (gains s C D)|cbn; lia];
    (specialize (S eq_refl eq_refl) || clear S); try specialize (W eq_refl); try specialize (W' eq_refl);
    destruct (number s) as [p|], (number' s) as [q|];
    try destruct (P _ W) as [? ?]; try destruct (P _ W') as [? ?]; try cbn in S;
    cbn [total fold_right ok_number]; rewrite ?Z.add_0_r; bits;
    rewrite ?S, ?orb_true_r; cbn [when rises falls signs]; rewrite ?orb_true_iff; intuition lia.
Qed.
Lemma sum_rows_moves : ok_number sum_moves (Some (total old)) (Some (total new)).
Proof.
  assert (T : forall l l', total (l ++ l') = total l + total l')
    by (intros l l'; unfold total; induction l; cbn [app fold_right]; lia).
  unfold parts. induction rows as [|s ss IH]; [cbn; split; lia|]. cbn [flat_map]. rewrite !T.
  apply (add_moves _ _ (Some _) (Some _) (Some _) (Some _) (part_moves s)) in IH.
  unfold add, lift2 in IH. cbn [ok_number] in *. bits. rewrite !orb_diag in IH. exact IH.
Qed.
(** While no row is lost, what is there stays there; while none comes, what is there was there. *)
Lemma no_loss p : falls chosen = false -> vanishes own = false -> In p old ->
  exists q, In q new /\ (p < q -> rises own = true) /\ (q < p -> falls own = true).
Proof.
  intros F E H. apply in_flat_map in H. destruct H as (s & I & H). unfold part in H.
  destruct (taken s) eqn:C; [|destruct H]. destruct (taken' s) eqn:D; [|rewrite (loses s C D) in F; discriminate].
  pose proof (stays s C D) as K. destruct (number s) as [y|] eqn:Y; [|destruct H]. destruct H as [<-|[]].
  destruct (number' s) as [q|] eqn:Q; cbn in K; [|congruence]. exists q. split; [|exact K].
  apply in_flat_map. exists s. split; auto. unfold part. rewrite D, Q. cbn. auto.
Qed.
Lemma no_gain q : rises chosen = false -> appears own = false -> In q new ->
  exists p, In p old /\ (p < q -> rises own = true) /\ (q < p -> falls own = true).
Proof.
  intros F E H. apply in_flat_map in H. destruct H as (s & I & H). unfold part in H.
  destruct (taken' s) eqn:D; [|destruct H]. destruct (taken s) eqn:C; [|rewrite (gains s C D) in F; discriminate].
  pose proof (stays s C D) as K. destruct (number' s) as [y|] eqn:Y; [|destruct H]. destruct H as [<-|[]].
  destruct (number s) as [p|] eqn:Q; cbn in K; [|congruence]. exists p. split; [|exact K].
  apply in_flat_map. exists s. split; auto. unfold part. rewrite C, Q. cbn. auto.
Qed.
Definition taking (gained same : moves) : moves :=
  if falls chosen || vanishes own then all_moves else if rises chosen || appears own then gained else same.
Definition max_moves := taking (M true (falls own) true false) own.
Definition min_moves := taking (M (rises own) true true false) own.
Ltac by_rows := unfold max_moves, min_moves, taking;
  destruct (falls chosen || vanishes own) eqn:F; [apply all_ok_number|];
  apply orb_false_iff in F; destruct F as [F E].
Lemma max_rows_moves : ok_number max_moves (extreme Z.max old) (extreme Z.max new).
Proof.
  by_rows. pose proof (fun l z => extreme_in Z.max l z (or_intror eq_refl)) as Inside.
  pose proof greatest_is_greatest as Best.
  destruct (extreme Z.max old) as [p|] eqn:P.
  - destruct (no_loss p F E (Inside _ _ P)) as (q0 & I & R0 & D0).
    destruct (extreme_some Z.max _ _ I) as [q Q]. rewrite Q.
    pose proof (Best _ _ _ Q I). destruct (rises _ || appears _) eqn:A; cbn; [split; auto; intros; apply D0; lia|].
    apply orb_false_iff in A. destruct A as [A1 A2].
    destruct (no_gain q A1 A2 (Inside _ _ Q)) as (p0 & J & R1 & D1).
    pose proof (Best _ _ _ P J). split; intros; [apply R1|apply D0]; lia.
  - destruct (extreme Z.max new) as [q|] eqn:Q; [|destruct (_ || _); exact I].
    destruct (rises _ || appears _) eqn:A; [reflexivity|]. apply orb_false_iff in A. destruct A as [A1 A2].
    destruct (no_gain q A1 A2 (Inside _ _ Q)) as (p0 & J & _). destruct (extreme_some Z.max _ _ J). congruence.
Qed.
Lemma min_rows_moves : ok_number min_moves (extreme Z.min old) (extreme Z.min new).
Proof.
  by_rows. pose proof (fun l z => extreme_in Z.min l z (or_introl eq_refl)) as Inside.
  pose proof least_is_least as Best.
  destruct (extreme Z.min old) as [p|] eqn:P.
  - destruct (no_loss p F E (Inside _ _ P)) as (q0 & I & R0 & D0).
    destruct (extreme_some Z.min _ _ I) as [q Q]. rewrite Q.
    pose proof (Best _ _ _ Q I). destruct (rises _ || appears _) eqn:A; cbn; [split; auto; intros; apply R0; lia|].
    apply orb_false_iff in A. destruct A as [A1 A2].
    destruct (no_gain q A1 A2 (Inside _ _ Q)) as (p0 & J & R1 & D1).
    pose proof (Best _ _ _ P J). split; intros; [apply R0|apply D1]; lia.
  - destruct (extreme Z.min new) as [q|] eqn:Q; [|destruct (_ || _); exact I].
    destruct (rises _ || appears _) eqn:A; [reflexivity|]. apply orb_false_iff in A. destruct A as [A1 A2].
    destruct (no_gain q A1 A2 (Inside _ _ Q)) as (p0 & J & _). destruct (extreme_some Z.min _ _ J). congruence.
Qed.

(** An average or a percentile: only that there is none needs to be known … *)
Definition mid_moves := taking (M true true true false) own.
Definition on_rows (f : list Z -> value) := (forall xs, f xs = None <-> xs = []).
Lemma mid_rows_moves f : on_rows f ->
  (rises chosen = false -> falls chosen = false -> appears own = false -> vanishes own = false ->
    ok_number own (f old) (f new)) ->
  ok_number mid_moves (f old) (f new).
Proof.
  intros N Same. unfold mid_moves. by_rows. destruct (rises _ || appears _) eqn:A.
  - destruct (f old) as [p|] eqn:P, (f new) as [q|] eqn:Q; cbn; auto. apply N in Q.
    destruct old as [|x xs] eqn:O; [now rewrite (proj2 (N []) eq_refl) in P|].
    destruct (no_loss x F E) as (q & I & _); [rewrite O; now left|]. now rewrite Q in I.
  - apply orb_false_iff in A. destruct A. auto.
Qed.
(** … and where the rows stay the same, each is no lower if none falls, and none is higher if none rises. *)
Lemma same_rows : rises chosen = false -> falls chosen = false -> appears own = false -> vanishes own = false ->
  Forall2 (fun p q => (p < q -> rises own = true) /\ (q < p -> falls own = true)) old new.
Proof.
  intros R F A E. unfold parts. induction rows as [|s ss IH]; cbn [flat_map]; [constructor|].
  apply Forall2_app; [|exact IH].
  unfold part. destruct (taken s) eqn:C, (taken' s) eqn:D;
    [|rewrite (loses s C D) in F; discriminate|rewrite (gains s C D) in R; discriminate|constructor].
  pose proof (stays s C D) as K. destruct (number s), (number' s); cbn in K; try congruence;
    repeat constructor; tauto.
Qed.
Definition rises_with (f : list Z -> value) := forall xs ys p q,
  Forall2 Z.le xs ys -> f xs = Some p -> f ys = Some q -> p <= q.
Lemma same_rows_moves f : on_rows f -> rises_with f ->
  rises chosen = false -> falls chosen = false -> appears own = false -> vanishes own = false ->
  ok_number own (f old) (f new).
Proof.
  intros N Mo R F A E. pose proof (same_rows R F A E) as S.
  destruct (f old) as [p|] eqn:P, (f new) as [q|] eqn:Q; cbn; auto.
  - split; intros L; [destruct (rises own) eqn:X|destruct (falls own) eqn:X]; auto; exfalso.
    + assert (H : Forall2 Z.le new old); [|specialize (Mo _ _ _ _ H Q P); lia].
      clear - S. induction S as [|x y xs ys [H _] _ IH]; constructor; auto. destruct (Z_lt_dec x y); [|lia].
      now apply H in l.
    + assert (H : Forall2 Z.le old new); [|specialize (Mo _ _ _ _ H P Q); lia].
      clear - S. induction S as [|x y xs ys [_ H] _ IH]; constructor; auto. destruct (Z_lt_dec y x); [|lia].
      now apply H in l.
  - apply N in Q. rewrite Q in S. assert (O : old = []) by now inversion S. apply N in O. congruence.
  - apply N in P. rewrite P in S. assert (O : new = []) by now inversion S. apply N in O. congruence.
Qed.
End Rows.

Lemma same_size xs ys : Forall2 Z.le xs ys -> size xs = size ys.
Proof. unfold size. induction 1; cbn [length]; lia. Qed.
Lemma average_rises : on_rows average /\ rises_with average.
Proof.
  split; [intros [|x xs]; split; intros H; auto; discriminate|].
  intros xs ys p q F P Q. pose proof (same_size _ _ F) as E.
  assert (L : total xs <= total ys) by (unfold total; clear - F; induction F; cbn [fold_right]; lia).
  destruct xs as [|x xs], ys as [|y ys]; try discriminate. cbn [average] in *. rewrite <- E in Q.
  injection P as <-. injection Q as <-.
  assert (0 < size (x :: xs)) by (unfold size; cbn [length]; lia). set (k := size _) in *. apply rdiv_mono; auto.
  apply Z.mul_le_mono_nonneg_r; [lia|exact L].
Qed.
Lemma percentile_rises p : 1 <= p <= 100 -> on_rows (percentile p) /\ rises_with (percentile p).
Proof.
  intros B. split.
  - intros [|x xs]; split; intros H; auto; [|discriminate].
    destruct (percentile_some p (x :: xs) x ltac:(lia) ltac:(now left)). congruence.
  - intros xs ys a b F A Q. apply percentile_in in Q. destruct Q as [Ib Rb].
    pose proof (same_size _ _ F) as E.
    assert (C : size (filter (fun y => y <=? b) ys) <= size (filter (fun y => y <=? b) xs)).
    { unfold size. clear - F. induction F as [|x y xs ys L _ IH]; cbn [filter length]; [lia|].
      destruct (y <=? b) eqn:Y, (x <=? b) eqn:X; cbn [length]; lia. }
    unfold rank_reached in Rb. rewrite <- E in Rb. apply Z.leb_le in Rb.
    (* The greatest x that is not above b has the rank, too. *)
    destruct (extreme Z.max (filter (fun y => y <=? b) xs)) as [m|] eqn:M.
    + pose proof (extreme_in Z.max _ _ (or_intror eq_refl) M) as I. apply filter_In in I. destruct I as [I L].
      apply Z.leb_le in L. cut (a <= m); [lia|]. apply (least_is_least _ _ _ A), filter_In. split; auto.
      apply Z.leb_le. assert (W : size (filter (fun y => y <=? b) xs) <= size (filter (fun y => y <=? m) xs)); [|lia].
      assert (G : forall y, In y xs -> y <= b -> y <= m)
        by (intros y Iy Ly; apply (greatest_is_greatest _ _ _ M), filter_In; split; auto; lia).
      unfold size. clear - G. induction xs as [|x xs IH]; cbn [filter length]; [lia|].
      specialize (IH (fun y Iy => G y (or_intror Iy))). specialize (G x (or_introl eq_refl)).
      destruct (x <=? b) eqn:X, (x <=? m) eqn:Y; cbn [length]; lia.
    + destruct (filter (fun y => y <=? b) xs); [|discriminate]. change (size []) with 0 in C.
      assert (0 < size xs) by (rewrite E; unfold size; destruct ys; [destruct Ib|cbn [length]; lia]).
      assert (1 <= (p * size xs + 99) / 100) by (apply Z.div_le_lower_bound; nia). lia.
Qed.
Definition first_of (xs : list Z) : value := hd_error xs.
Definition last_of (xs : list Z) : value := hd_error (rev xs).
Lemma first_rises : on_rows first_of /\ rises_with first_of.
Proof.
  split; [intros [|x xs]; split; auto; discriminate|]. intros xs ys p q [|x y] P Q; [discriminate|].
  cbn in *. congruence.
Qed.
Lemma last_rises : on_rows last_of /\ rises_with last_of.
Proof.
  destruct first_rises as [N R]. split.
  - intros xs. unfold last_of. rewrite (N (rev xs)). split; intros H; [|now subst].
    rewrite <- (rev_involutive xs), H. reflexivity.
  - intros xs ys p q F. apply R. induction F; cbn [rev]; auto using Forall2_app.
Qed.

(** ** Subjects *)
Section Subjects.
Variable subjects : list Z.
(** Whether each exists, the `where`, and the number taken. *)
Variables (exists_ : Z -> world -> bool) (filter_ argument : Z -> world -> value).
Variables (good : world -> Prop) (e x : behaviour) (is_app : bool).
Hypothesis E : forall s, sound true e good (filter_ s).
Hypothesis X : forall s, sound false x good (argument s).
(** A fact may make a subject exist for the app; it belongs to no other. None comes or goes as days pass. *)
Hypothesis stays : forall s ax w w', step ax w w' -> exists_ s w = true -> exists_ s w' = true.
Hypothesis comes : forall s ax w w', step ax w w' -> is_app = false \/ ax = Passing ->
  exists_ s w' = true -> exists_ s w = true.
Definition chosen_subject w s := exists_ s w && is (filter_ s w) scale.
Definition chosen_moves ax := M (rises (moves_of ax e) || is_app) (falls (moves_of ax e)) false false.
Variables (ax : axis) (w w' : world).
Hypothesis (S : step ax w w') (G : good w) (G' : good w').

Lemma subject_comes s : chosen_subject w s = false -> chosen_subject w' s = true -> rises (chosen_moves ax) = true.
Proof.
  intros C C'. unfold chosen_subject in *. apply andb_prop in C'. destruct C' as [C1 C2]. cbn.
  destruct (is (filter_ s w) scale) eqn:Q.
  - rewrite andb_true_r in C. destruct is_app eqn:A; [apply orb_true_r|].
    rewrite (comes s ax w w' S) in C; auto; discriminate.
  - destruct (E s) as (_ & _ & H). destruct (H ax w w' S G G') as (H1 & _). now rewrite H1.
Qed.
Lemma subject_goes s : chosen_subject w s = true -> chosen_subject w' s = false -> falls (chosen_moves ax) = true.
Proof.
  intros C C'. unfold chosen_subject in *. apply andb_prop in C. destruct C as [C1 C2].
  rewrite (stays s ax w w' S C1) in C'. destruct (E s) as (_ & _ & H). destruct (H ax w w' S G G') as (_ & H1 & _).
  cbn. auto.
Qed.
Definition numbers_of v := parts subjects (chosen_subject v) (fun s => argument s v).
Theorem subjects_sound f : on_rows f -> rises_with f ->
  let c := chosen_moves ax in let own := moves_of ax x in
  let old := numbers_of w in let new := numbers_of w' in
  ok_number (order c) (count_rows subjects (chosen_subject w)) (count_rows subjects (chosen_subject w'))
  /\ ok_number (sum_moves c own (vals x)) (Some (total old)) (Some (total new))
  /\ ok_number (max_moves c own) (extreme Z.max old) (extreme Z.max new)
  /\ ok_number (min_moves c own) (extreme Z.min old) (extreme Z.min new)
  /\ ok_number (mid_moves c own) (f old) (f new).
Proof.
  intros N R. cbn zeta.
  assert (V : forall v s, good v -> within (vals x) (argument s v)) by (intros v s; apply (X s)).
  assert (M : forall s, ok_number (moves_of ax x) (argument s w) (argument s w'))
    by (intros s; destruct (X s) as (_ & _ & H); exact (H ax w w' S G G')).
  split; [apply count_rows_moves; eauto using subject_comes, subject_goes|].
  split; [apply sum_rows_moves; eauto using subject_comes, subject_goes|].
  split; [apply max_rows_moves; eauto using subject_comes, subject_goes|].
  split; [apply min_rows_moves; eauto using subject_comes, subject_goes|].
  apply mid_rows_moves; eauto using subject_comes, subject_goes. intros.
  apply same_rows_moves with (chosen := chosen_moves ax); eauto using subject_comes, subject_goes.
Qed.
(** On no data none is chosen where E is false, and a `sum` of what is not negative is not. *)
Lemma no_subject : no_data w -> certainty (on_no_data e) = Some false ->
  count_rows subjects (chosen_subject w) = Some 0.
Proof.
  intros N C. unfold count_rows. do 2 f_equal.
  assert (F : forall s, chosen_subject w s = false).
  { intros s. destruct (E s) as (_ & H & _). unfold chosen_subject. rewrite (certainty_false _ _ C (H w G N)).
    apply andb_false_r. }
  clear - F. induction subjects as [|s ss IH]; cbn [filter]; [reflexivity|]. now rewrite F.
Qed.
End Subjects.

(** ** Days *)
Section Days.
(** Each day that there is, those of a period at a reference day, and where all time begins. *)
Variables (calendar : list Z) (in_period : Z -> Z -> bool) (begins : world -> Z) (all_time : bool).
Hypothesis begins_earlier : forall w w', step Added w w' -> begins w' <= begins w.
Hypothesis begins_still : forall w w', step Passing w w' -> begins w' = begins w.
Variables (m : world -> value) (b : behaviour) (good : world -> Prop).
Hypothesis Sound : sound false b good m.
Definition day_taken w d := (d <=? today w) && if all_time then begins w <=? d else in_period (today w) d.
Definition on_days w := parts calendar (day_taken w) (fun d => m (at_day w d)).
(** A fact leaves the days as they are, but that all time may begin earlier. As days pass no row changes. *)
Definition days_move ax :=
  match ax with Added => M all_time false false false | Passing => M true (negb all_time) false false end.
Definition day_moves ax := match ax with Added => added b | Passing => none_moves end.
Theorem days_sound f ax w w' : step ax w w' -> everywhere good w -> everywhere good w' -> on_rows f -> rises_with f ->
  let c := days_move ax in let own := day_moves ax in
  ok_number (sum_moves c own (vals b)) (Some (total (on_days w))) (Some (total (on_days w')))
  /\ ok_number (max_moves c own) (extreme Z.max (on_days w)) (extreme Z.max (on_days w'))
  /\ ok_number (min_moves c own) (extreme Z.min (on_days w)) (extreme Z.min (on_days w'))
  /\ ok_number (mid_moves c own) (f (on_days w)) (f (on_days w')).
Proof.
  intros S G G' N R. cbn zeta.
  assert (Ga : forall d, day_taken w d = false -> day_taken w' d = true -> rises (days_move ax) = true).
  { intros d. unfold day_taken. destruct ax; [|reflexivity]. rewrite <- (added_today w w' S). cbn.
    destruct all_time; [reflexivity|]. congruence. }
  assert (Lo : forall d, day_taken w d = true -> day_taken w' d = false -> falls (days_move ax) = true).
  { intros d. unfold day_taken. rewrite andb_true_iff, andb_false_iff. destruct ax; cbn; destruct all_time; cbn; auto.
    - rewrite <- (added_today w w' S). pose proof (begins_earlier _ _ S). lia.
    - rewrite <- (added_today w w' S). intuition congruence.
    - rewrite (begins_still _ _ S). inversion S; subst. cbn [today]. lia. }
  assert (K : forall v, everywhere good v -> forall d, day_taken v d = true -> good (at_day v d))
    by (intros v H d D; apply H; unfold day_taken in D; lia).
  assert (St : forall d, day_taken w d = true -> day_taken w' d = true ->
    ok_number (day_moves ax) (m (at_day w d)) (m (at_day w' d))).
  { intros d D D'. destruct Sound as (_ & _ & H). destruct ax; [|inversion S; subst; apply (ok_same false)].
    apply (H Added); auto. now apply added_at. }
  assert (V : forall v, everywhere good v -> forall d, day_taken v d = true -> within (vals b) (m (at_day v d)))
    by (intros v H d D; apply Sound; eauto).
  split; [apply sum_rows_moves; eauto|]. split; [apply max_rows_moves; eauto|]. split; [apply min_rows_moves; eauto|].
  apply mid_rows_moves; eauto. intros. apply same_rows_moves with (chosen := days_move ax); eauto.
Qed.
End Days.

Print Assumptions average_rises.
Print Assumptions percentile_rises.
Print Assumptions last_rises.
Print Assumptions subjects_sound.
Print Assumptions days_sound.

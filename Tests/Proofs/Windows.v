(** Streaks and momentum over any sequence of windows.

    A sequence lists the states of the windows from window 0 back (WIN-01). When a fact is added, complete
    windows stay complete and incomplete ones may become complete: [better]. When a day-window passes, a
    state is put in front. Rest windows (WIN-07) are not modelled: numbering skips them. *)

From Metricc Require Export Values.

(** STR-01 *)
Fixpoint current (s : list bool) : nat := match s with true :: s => S (current s) | _ => 0 end.
(** STR-03: the largest streak read from the windows 0 to n. *)
Fixpoint grace (n : nat) (s : list bool) : nat :=
  match n, s with
  | S n, _ :: r => Nat.max (current s) (grace n r)
  | _, _ => current s
  end.
(** STR-04: the greatest streak on any day up to r; the days before end with the windows behind. *)
Fixpoint best (s : list bool) : nat :=
  match s with [] => 0 | _ :: r => Nat.max (current s) (best r) end.
(** STR-05: skip the current streak and the incomplete windows before it. *)
Fixpoint skip_run s := match s with true :: r => skip_run r | _ => s end.
Fixpoint skip_gap s := match s with false :: r => skip_gap r | _ => s end.
Definition previous s := current (skip_gap (skip_run s)).
(** MOM-01 *)
Definition count (s : list bool) : nat := length (filter (fun b => b) s).
Definition momentum n s := count (firstn n s).
(** MOM-02 before rounding, with any weights that are not negative. *)
Fixpoint strength (weights : list Z) (s : list bool) : Z :=
  match weights, s with w :: ws, b :: s => (if b then w else 0) + strength ws s | _, _ => 0 end.

Inductive better : list bool -> list bool -> Prop :=
| better_nil : better [] []
| better_cons a b s t : (a = true -> b = true) -> better s t -> better (a :: s) (b :: t).

Theorem current_never_falls s t : better s t -> (current s <= current t)%nat.
Proof. induction 1 as [|a b s t H _ IH]; cbn; auto. destruct a, b; try lia. all: try (specialize (H eq_refl); discriminate). Qed.

Theorem grace_never_falls n s t : better s t -> (grace n s <= grace n t)%nat.
Proof.
  intros H. revert n. induction H as [|a b s t H H' IH]; intros [|n]; cbn [grace]; auto.
  - apply current_never_falls. now constructor.
  - pose proof (current_never_falls (a :: s) (b :: t) ltac:(now constructor)). specialize (IH n). lia.
Qed.

Theorem best_never_falls s t : better s t -> (best s <= best t)%nat.
Proof.
  induction 1 as [|a b s t H H' IH]; cbn [best]; auto.
  pose proof (current_never_falls (a :: s) (b :: t) ltac:(now constructor)). lia.
Qed.

Theorem momentum_never_falls n s t : better s t -> (momentum n s <= momentum n t)%nat.
Proof.
  unfold momentum, count. intros H. revert n. induction H as [|a b s t H _ IH]; intros [|n]; cbn; auto.
  specialize (IH n). destruct a, b; cbn; try lia. all: try (specialize (H eq_refl); discriminate).
Qed.

Theorem strength_never_falls ws s t :
  Forall (fun w => 0 <= w) ws -> better s t -> strength ws s <= strength ws t.
Proof.
  intros F H. revert ws F. induction H as [|a b s t H _ IH]; intros [|w ws] F; cbn; try lia.
  inversion F as [|? ? Fw Fr]; subst. specialize (IH ws Fr).
  destruct a, b; try lia. all: try (specialize (H eq_refl); discriminate).
Qed.

Theorem momentum_at_most n s : (momentum n s <= n)%nat.
Proof.
  unfold momentum, count. revert s. induction n; intros [|[] s]; cbn; try lia; specialize (IHn s); lia.
Qed.

(** LAW-04: as a window passes a best never falls, and no streak is above it. *)
Theorem best_is_kept b s : (best s <= best (b :: s))%nat.
Proof. cbn [best]. lia. Qed.
Theorem current_at_most_best s : (current s <= best s)%nat.
Proof. destruct s as [|b s]; [cbn; lia|cbn [best]; lia]. Qed.
Lemma best_skip_run s : (best (skip_run s) <= best s)%nat.
Proof. induction s as [|[] s IH]; cbn [skip_run best] in *; lia. Qed.
Lemma best_skip_gap s : (best (skip_gap s) <= best s)%nat.
Proof. induction s as [|[] s IH]; cbn [skip_gap best] in *; lia. Qed.
Theorem previous_at_most_best s : (previous s <= best s)%nat.
Proof.
  unfold previous. pose proof (current_at_most_best (skip_gap (skip_run s))).
  pose proof (best_skip_gap (skip_run s)). pose proof (best_skip_run s). lia.
Qed.
Theorem grace_at_most_best n s : (grace n s <= best s)%nat.
Proof.
  revert s. induction n; intros s; cbn [grace]; destruct s as [|b s];
    try apply current_at_most_best. cbn [best]. specialize (IHn s). lia.
Qed.

(** On an open day `previous` is the streak of the day before. *)
Theorem previous_on_an_open_day s : current s <> 0%nat -> previous (false :: s) = current s.
Proof. destruct s as [|[] s]; cbn; auto; intros; contradiction. Qed.

(** An entry in the gap joins two runs: `previous` may fall, and the bit f of its row is needed. *)
Theorem previous_may_fall : exists s t, better s t /\ (previous t < previous s)%nat.
Proof.
  exists [true; false; true], [true; true; true]. split; [|cbn; lia]. repeat constructor; auto.
Qed.

Print Assumptions current_never_falls.
Print Assumptions grace_never_falls.
Print Assumptions best_never_falls.
Print Assumptions momentum_never_falls.
Print Assumptions strength_never_falls.
Print Assumptions best_is_kept.
Print Assumptions previous_at_most_best.
Print Assumptions grace_at_most_best.

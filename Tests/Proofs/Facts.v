(** Datasets, days and the rows of the table of leaves: aggregates over facts. *)

From Metricc Require Export Logic.

(** A fact of some record of the subject, on a day, with or without a value in the aggregated field. *)
Record fact := Fact { record : nat; on : Z; amount : option Z }.
(** What a value depends on: facts and the reference day (IDEA-04). *)
Record world := World { facts : list fact; today : Z }.

Inductive axis := Added | Passing.
(** A fact is added, or a day passes. *)
Inductive step : axis -> world -> world -> Prop :=
| add_fact f l r : step Added (World l r) (World (f :: l) r)
| pass_day l r : step Passing (World l r) (World l (r + 1)).

Inductive ty := TInt | TDecimal | TBool | TDay | TText.
Inductive function := Count | Days | Distinct | Sum | Max | Min | Average | First | Last.

(** [from, to] is what the declaration says of each element (`min`); [days] is `over last N days`. *)
Record leaf := Leaf_ { fn : function; of : nat; days : option Z; from : Z; to : Z; leaf_type : ty }.

Definition in_period (l : leaf) (r d : Z) : bool :=
  (d <=? r) && match days l with None => true | Some n => r - n <? d end.
Definition seen (l : leaf) (w : world) : list fact :=
  filter (fun f => (Nat.eqb (record f) (of l)) && in_period l (today w) (on f)) (facts w).
Definition elements (l : leaf) (w : world) : list Z :=
  flat_map (fun f => match amount f with Some z => [z] | None => [] end) (seen l w).
Definition total (l : list Z) := fold_right Z.add 0 l.
Definition size {A} (l : list A) : Z := Z.of_nat (length l).
Definition extreme (f : Z -> Z -> Z) (l : list Z) : value :=
  match l with [] => None | z :: r => Some (fold_left f r z) end.

Definition leaf_value (l : leaf) (w : world) : value :=
  let xs := elements l w in
  let ds := map (fun f => scale * on f) (seen l w) in
  match fn l with
  | Count => Some (scale * size (seen l w))
  | Days => Some (scale * size (nodup Z.eq_dec ds))
  | Distinct => Some (scale * size (nodup Z.eq_dec xs))
  | Sum => Some (total xs)
  | Max => extreme Z.max xs
  | Min => extreme Z.min xs
  | Average => match xs with [] => None | _ => Some (rdiv (total xs) (size xs)) end
  | First => extreme Z.min ds
  | Last => extreme Z.max ds
  end.

(** A dataset that loads: elements are what the declaration says, and the value fits. *)
Definition leaf_sane (l : leaf) (w : world) : Prop :=
  Forall (fun z => from l <= z <= to l) (elements l w)
  /\ match days l with Some n => 0 <= n | None => True end /\ fits (leaf_value l w).

(** * What adding a fact and passing a day have in common: more facts are seen *)

Inductive within_list {A} : list A -> list A -> Prop :=
| both_empty : within_list [] []
| skip x xs ys : within_list xs ys -> within_list xs (x :: ys)
| keep x xs ys : within_list xs ys -> within_list (x :: xs) (x :: ys).

Lemma within_refl {A} (l : list A) : within_list l l.
Proof. induction l; [apply both_empty|apply keep; auto]. Qed.
Lemma within_filter {A} (p q : A -> bool) l :
  (forall x, p x = true -> q x = true) -> within_list (filter p l) (filter q l).
Proof.
  intros H. induction l as [|x l IH]; cbn; [constructor|].
  destruct (p x) eqn:P; [rewrite (H x P); now apply keep|].
  destruct (q x); [now apply skip|auto].
Qed.
Lemma within_app {A} (z xs ys : list A) : within_list xs ys -> within_list (z ++ xs) (z ++ ys).
Proof. induction z; cbn; auto. intros. apply keep. auto. Qed.
Lemma within_skip {A} (z xs ys : list A) : within_list xs ys -> within_list xs (z ++ ys).
Proof. induction z; cbn; auto. intros. apply skip. auto. Qed.
Lemma within_flat_map {A B} (f : A -> list B) xs ys :
  within_list xs ys -> within_list (flat_map f xs) (flat_map f ys).
Proof. induction 1; cbn; [apply both_empty|now apply within_skip|now apply within_app]. Qed.
Lemma within_map {A B} (f : A -> B) xs ys : within_list xs ys -> within_list (map f xs) (map f ys).
Proof. induction 1; cbn; [apply both_empty|now apply skip|now apply keep]. Qed.
Lemma within_incl {A} (xs ys : list A) : within_list xs ys -> incl xs ys.
Proof. induction 1; intros y; cbn; [tauto| |]; firstorder. Qed.
Lemma within_length {A} (xs ys : list A) : within_list xs ys -> size xs <= size ys.
Proof. unfold size. induction 1; cbn [length]; lia. Qed.
Lemma within_total_up xs ys :
  within_list xs ys -> Forall (fun z => 0 <= z) ys -> total xs <= total ys.
Proof.
  unfold total. induction 1; cbn; intros F; [lia| |]; inversion F as [|? ? Fx Fr]; subst; cbn in Fx;
    specialize (IHwithin_list Fr); unfold total in *; lia.
Qed.
Lemma within_total_down xs ys :
  within_list xs ys -> Forall (fun z => z <= 0) ys -> total ys <= total xs.
Proof.
  unfold total. induction 1; cbn; intros F; [lia| |]; inversion F as [|? ? Fx Fr]; subst; cbn in Fx;
    specialize (IHwithin_list Fr); unfold total in *; lia.
Qed.
Lemma nodup_grows (xs ys : list Z) :
  incl xs ys -> size (nodup Z.eq_dec xs) <= size (nodup Z.eq_dec ys).
Proof.
  intros H. unfold size. apply inj_le. apply NoDup_incl_length; [apply NoDup_nodup|].
  intros x Hx. apply nodup_In. apply nodup_In in Hx. auto.
Qed.

Lemma seen_grows l ax w w' : step ax w w' -> days l = None \/ ax = Added -> within_list (seen l w) (seen l w').
Proof.
  unfold seen. intros [f fs r|fs r] H; cbn.
  - destruct (_ && _); [apply skip|]; apply within_refl.
  - apply within_filter. intros x. unfold in_period. destruct H as [-> |]; [|discriminate].
    destruct (Nat.eqb _ _); cbn; lia.
Qed.

Lemma max_grows xs ys : incl xs ys -> ok_number (M true false true false) (extreme Z.max xs) (extreme Z.max ys).
Proof.
  destruct xs as [|x xs], ys as [|y ys]; cbn; auto; intros H; [now specialize (H x (or_introl eq_refl))|].
  split; auto. intros L. exfalso.
  assert (fold_left Z.max xs x <= fold_left Z.max ys y); [|lia].
  assert (B : forall z, In z (x :: xs) -> z <= fold_left Z.max ys y).
  { intros z Hz. apply H in Hz. destruct (fold_max_ge ys y) as [P Q]. destruct Hz as [->|Hz]; auto. }
  clear - B. revert x B. induction xs as [|a xs IH]; cbn; intros x B; [apply B; auto|].
  apply IH. intros z [<-|Hz]; [|apply B; auto].
  pose proof (B x (or_introl eq_refl)). pose proof (B a (or_intror (or_introl eq_refl))). lia.
Qed.
Lemma min_grows xs ys : incl xs ys -> ok_number (M false true true false) (extreme Z.min xs) (extreme Z.min ys).
Proof.
  destruct xs as [|x xs], ys as [|y ys]; cbn; auto; intros H; [now specialize (H x (or_introl eq_refl))|].
  split; auto. intros L. exfalso.
  assert (fold_left Z.min ys y <= fold_left Z.min xs x); [|lia].
  assert (B : forall z, In z (x :: xs) -> fold_left Z.min ys y <= z).
  { intros z Hz. apply H in Hz. destruct (fold_min_le ys y) as [P Q]. destruct Hz as [->|Hz]; auto. }
  clear - B. revert x B. induction xs as [|a xs IH]; cbn; intros x B; [apply B; auto|].
  apply IH. intros z [<-|Hz]; [|apply B; auto].
  pose proof (B x (or_introl eq_refl)). pose proof (B a (or_intror (or_introl eq_refl))). lia.
Qed.

(** * The rows *)

Record behaviour := B { vals : values; on_no_data : values; added : moves; passing : moves }.
Definition moves_of ax b := match ax with Added => added b | Passing => passing b end.
Definition constant v := B v v none_moves none_moves.

Definition leaf_row (l : leaf) : behaviour :=
  let numbers v n m := B v n m m in
  let of_row := range_or_none (from l) (to l) in
  match fn l with
  | Count | Distinct => numbers (range 0 limit) (exactly 0) (M true false false false)
  | Days => numbers (range 0 (match days l with Some n => n * scale | None => limit end)) (exactly 0)
              (M true false false false)
  | Sum => numbers (range (if from l <? 0 then - limit else 0) (if 0 <? to l then limit else 0)) (exactly 0)
             (M (0 <? to l) (from l <? 0) false false)
  | Max => numbers of_row vnone (M true false true false)
  | Min => numbers of_row vnone (M false true true false)
  | Average => numbers of_row vnone (M true true true false)
  | First => B vany vnone (M false true true false) (M false false true false)
  | Last => numbers vany vnone (M true false true false)
  end.
Definition leaf_behaviour (l : leaf) : behaviour :=
  let row := leaf_row l in
  match days l with None => row | Some _ => B (vals row) (on_no_data row) (added row) all_moves end.

Definition no_data (w : world) := facts w = [].
Lemma all_ok_number x x' : ok_number all_moves x x'. Proof. destruct x, x'; cbn; auto. Qed.

(** A later day brings no earlier fact. *)
Lemma first_stays l fs r (p q : Z) :
  days l = None ->
  extreme Z.min (map (fun f => scale * on f) (seen l (World fs r))) = Some p ->
  extreme Z.min (map (fun f => scale * on f) (seen l (World fs (r + 1)))) = Some q -> p <= q.
Proof.
  intros N Hp Hq.
  assert (B : forall z, In z (map (fun f => scale * on f) (seen l (World fs (r + 1)))) -> p <= z).
  { intros z Hz. apply in_map_iff in Hz. destruct Hz as (f & <- & Hf).
    unfold seen in Hf. apply filter_In in Hf. destruct Hf as [Hf Hr].
    destruct (map _ (seen l (World fs r))) as [|x xs] eqn:E; [discriminate|].
    cbn in Hp. injection Hp as Hp. destruct (fold_min_le xs x) as [P Q].
    assert (L : forall d, In d (x :: xs) -> fold_left Z.min xs x <= d) by (intros d [<-|]; auto).
    rewrite <- Hp. rewrite <- E in L.
    destruct (Z_le_dec (on f) r).
    - apply L. apply in_map_iff. exists f. split; auto. unfold seen. apply filter_In. split; auto.
      unfold in_period in *. cbn [today] in *. rewrite N in *.
      apply andb_true_iff in Hr. destruct Hr as [Hr _]. rewrite Hr. cbn [andb]. lia.
    - assert (I : In x (map (fun f => scale * on f) (seen l (World fs r)))) by (rewrite E; cbn; auto).
      specialize (L x I). apply in_map_iff in I. destruct I as (g & <- & Hg).
      unfold seen in Hg. apply filter_In in Hg. destruct Hg as [_ Hg].
      unfold in_period in Hg. cbn [today] in Hg. rewrite N in Hg.
      rewrite !andb_true_iff in Hg. rewrite Z.leb_le in Hg. unfold scale in *. lia. }
  destruct (map _ (seen l (World fs (r + 1)))) as [|y ys]; [discriminate|].
  cbn in Hq. injection Hq as <-.
  clear - B. revert y B. induction ys as [|a ys IH]; cbn; intros y B; [apply B; auto|].
  apply IH. intros z [<-|Hz]; [|apply B; auto].
  pose proof (B y (or_introl eq_refl)). pose proof (B a (or_intror (or_introl eq_refl))). lia.
Qed.

Lemma leaf_moves l ax w w' :
  step ax w w' -> leaf_sane l w -> leaf_sane l w' ->
  ok_number (moves_of ax (leaf_behaviour l)) (leaf_value l w) (leaf_value l w').
Proof.
  intros S (F & _ & Fit) (F' & _ & Fit'). unfold leaf_behaviour.
  assert (A : days l = None \/ ax = Added \/ (ax = Passing /\ exists n, days l = Some n))
    by (destruct (days l), ax; eauto 6).
  destruct A as [A|[A|[-> [n ->]]]]; [| |apply all_ok_number].
  all: pose proof (seen_grows l ax w w' S ltac:(tauto)) as G;
    pose proof (within_flat_map (fun f => match amount f with Some z => [z] | None => [] end) _ _ G) as E;
    fold (elements l w) (elements l w') in E;
    pose proof (within_map (fun f => scale * on f) _ _ G) as D;
    pose proof (within_length _ _ G);
    pose proof (nodup_grows _ _ (within_incl _ _ E)); pose proof (nodup_grows _ _ (within_incl _ _ D)).
  1: rewrite A.
  2: subst ax; destruct (days l).
  all: unfold leaf_value, leaf_row in *; destruct (fn l); try destruct ax;
    cbn [moves_of added passing vals on_no_data ok_number rises falls];
    try (split; [intros; reflexivity|assert (0 < scale) by reflexivity; intros; exfalso; nia]);
    try (apply max_grows; apply within_incl; assumption);
    try (apply min_grows; apply within_incl; assumption).
  all: try (split; intros;
    [destruct (0 <? to l) eqn:P; auto; exfalso; rewrite Z.ltb_ge in P;
     pose proof (within_total_down _ _ E); apply Z.lt_nge in H2; apply H2, H3;
     eapply Forall_impl; [|exact F']; cbn; lia
    |destruct (from l <? 0) eqn:P; auto; exfalso; rewrite Z.ltb_ge in P;
     pose proof (within_total_up _ _ E); apply Z.lt_nge in H2; apply H2, H3;
     eapply Forall_impl; [|exact F']; cbn; lia]).
  all: try (apply within_incl in E; destruct (elements l w) as [|x xs], (elements l w') as [|y ys];
    cbn; auto; now specialize (E x (or_introl eq_refl))).
  (* first, as a day passes *)
  all: inversion S; subst; pose proof (min_grows _ _ (within_incl _ _ D)) as M;
    destruct (extreme _ (map _ (seen l (World _ r)))) as [p|] eqn:Hp,
      (extreme _ (map _ (seen l (World _ (r + 1))))) as [q|] eqn:Hq; cbn in *; auto; try discriminate;
    pose proof (first_stays l _ r p q A Hp Hq); split; try tauto; try lia.
Qed.

Lemma fold_max_in l z : In (fold_left Z.max l z) (z :: l).
Proof.
  revert z. induction l as [|y l IH]; cbn; intros z; auto.
  destruct (IH (Z.max z y)) as [H|H]; auto. rewrite <- H.
  destruct (Z.max_spec z y) as [[_ ->]|[_ ->]]; auto.
Qed.
Lemma fold_min_in l z : In (fold_left Z.min l z) (z :: l).
Proof.
  revert z. induction l as [|y l IH]; cbn; intros z; auto.
  destruct (IH (Z.min z y)) as [H|H]; auto. rewrite <- H.
  destruct (Z.min_spec z y) as [[_ ->]|[_ ->]]; auto.
Qed.
Lemma rdiv_exact z s : 0 < s -> rdiv (z * s) s = z.
Proof.
  intros Hs. unfold rdiv. rewrite (proj2 (Z.ltb_lt 0 s) Hs). unfold rdiv_pos, half_up.
  assert (E : forall y, (2 * (y * s) + s) / (2 * s) = y).
  { intros y. symmetry. apply Z.div_unique with s; lia. }
  destruct (0 <=? z * s); [apply E|]. replace (- (z * s)) with (- z * s) by lia. rewrite E. lia.
Qed.
Lemma total_between xs l h : (forall z, In z xs -> l <= z <= h) -> l * size xs <= total xs <= h * size xs.
Proof.
  unfold size. induction xs as [|x xs IH]; intros H; [cbn; lia|].
  pose proof (H x (or_introl eq_refl)). specialize (IH (fun z Hz => H z (or_intror Hz))).
  change (total (x :: xs)) with (x + total xs). cbn [length]. lia.
Qed.

(** A period of n days holds at most n of them. *)
Lemma days_bound l w n :
  days l = Some n -> 0 <= n -> size (nodup Z.eq_dec (map (fun f => scale * on f) (seen l w))) <= n.
Proof.
  intros N Hn. unfold size. rewrite <- (Z2Nat.id n Hn). apply inj_le.
  rewrite <- (seq_length (Z.to_nat n) 0).
  rewrite <- (map_length (fun i => scale * (today w - Z.of_nat i)) (seq 0 (Z.to_nat n))).
  apply NoDup_incl_length; [apply NoDup_nodup|]. intros x Hx. apply nodup_In, in_map_iff in Hx.
  destruct Hx as (f & <- & Hf). unfold seen in Hf. apply filter_In in Hf. destruct Hf as [_ Hf].
  unfold in_period in Hf. rewrite N, !andb_true_iff, Z.leb_le, Z.ltb_lt in Hf.
  apply in_map_iff. exists (Z.to_nat (today w - on f)). split; [f_equal; lia|]. apply in_seq. lia.
Qed.

Lemma leaf_within l w : leaf_sane l w -> within (vals (leaf_behaviour l)) (leaf_value l w).
Proof.
  intros (F & Hn & Fit). assert (P : forall z, In z (elements l w) -> from l <= z <= to l)
    by (now apply Forall_forall).
  assert (W : within (vals (leaf_row l)) (leaf_value l w));
    [|unfold leaf_behaviour; destruct (days l); exact W].
  unfold leaf_row, leaf_value in *. assert (0 < scale) by reflexivity.
  destruct (fn l) eqn:Efn; cbn [vals range range_or_none vany within may_none may_present low high].
  - cbn in Fit. split; auto. unfold size in *. nia.
  - cbn in Fit. split; auto. destruct (days l) as [n|] eqn:N.
    + pose proof (days_bound l w n N Hn). unfold size in *. nia.
    + unfold size in *. nia.
  - cbn in Fit. split; auto. unfold size in *. nia.
  - cbn in Fit. split; auto. pose proof (total_between _ _ _ P) as T. unfold size in T.
    destruct (from l <? 0) eqn:E1, (0 <? to l) eqn:E2; rewrite ?Z.ltb_lt, ?Z.ltb_ge in *; split; nia.
  - destruct (elements l w) as [|x xs]; cbn; auto. split; auto. apply P, fold_max_in.
  - destruct (elements l w) as [|x xs]; cbn; auto. split; auto. apply P, fold_min_in.
  - pose proof (total_between _ _ _ P) as T. destruct (elements l w) as [|x xs]; cbn -[rdiv total size]; auto.
    split; auto. assert (S : 0 < size (x :: xs)) by (unfold size; cbn [length]; lia).
    rewrite <- (rdiv_exact (from l) _ S) at 1. rewrite <- (rdiv_exact (to l) _ S) at 1.
    split; apply rdiv_mono; nia.
  - destruct (map _ (seen l w)); cbn in *; auto.
  - destruct (map _ (seen l w)); cbn in *; auto.
Qed.
Lemma leaf_on_no_data l w : no_data w -> within (on_no_data (leaf_behaviour l)) (leaf_value l w).
Proof.
  unfold no_data, leaf_behaviour, leaf_value, leaf_row, elements, seen. intros ->. cbn.
  destruct (fn l), (days l); cbn; try reflexivity; split; auto; unfold scale; cbn; lia.
Qed.

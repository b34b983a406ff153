(* Reads what `metricc-bridge` prints, runs the extracted model, and compares every bit and bound.
   Exit status 1 where Swift claims something that the model does not. *)
open Model

let rec positive n =
  if n = 1 then XH
  else if n land 1 = 1 then XI (positive (n lsr 1)) else XO (positive (n lsr 1))

(* Bounds reach 9e18, beyond OCaml's own integers: decimal digits, four at a time. *)
let z_of_int n = if n = 0 then Z0 else if n > 0 then Zpos (positive n) else Zneg (positive (-n))

let z_of_string s =
  let negative = s.[0] = '-' in
  let digits = if negative then String.sub s 1 (String.length s - 1) else s in
  let value = ref Z0 in
  String.iter
    (fun c -> value := Z.add (Z.mul !value (z_of_int 10)) (z_of_int (Char.code c - 48)))
    digits;
  if negative then Z.opp !value else !value

type tree = Word of string | List of tree list

let parse text =
  let at = ref 0 in
  let rec tree () =
    if text.[!at] = '(' then begin
      incr at;
      let items = ref [] in
      while text.[!at] <> ')' do
        if text.[!at] = ' ' then incr at else items := tree () :: !items
      done;
      incr at;
      List (List.rev !items)
    end
    else begin
      let start = !at in
      while text.[!at] <> ' ' && text.[!at] <> ')' do incr at done;
      Word (String.sub text start (!at - start))
    end
  in
  tree ()

let ty = function
  | "int" -> TInt | "decimal" -> TDecimal | "bool" -> TBool | "dayKey" -> TDay | _ -> TText

let fn = function
  | Word "count" -> Count | Word "days" -> Days | Word "distinct" -> Distinct
  | Word "sum" | Word "contribution" -> Sum | Word "max" -> Max | Word "min" -> Min
  | Word "average" -> Average | Word "stddev" -> Stddev | Word "first" -> First | Word "last" -> Last
  | Word "firstOf" -> FirstOf | Word "lastOf" -> LastOf
  | List [ Word "percentile"; Word rank ] -> Percentile (z_of_string rank)
  | _ -> failwith "no function"

let bound = function "-" -> None | days -> Some (z_of_string days)

(* Functions of facts play no part in a behaviour. *)
let leaf f setting all most back l h t =
  { fn = fn f; of_setting = bool_of_string setting; keep = (fun _ -> true); arg = (fun _ -> []);
    key = (fun _ -> Z0); period = (if bool_of_string all then None else Some (fun _ _ -> true));
    most = bound most; back = bound back; from = z_of_string l; to0 = z_of_string h; leaf_type = ty t }

let number = function Word z -> z_of_string z | List _ -> failwith "no number"

let rec expr = function
  | List [ Word "lit"; Word t; Word z ] -> Lit (ty t, Some (z_of_string z))
  | List [ Word "field"; Word t; Word l; Word h ] ->
    let values = { may_none = true; may_present = true; low = z_of_string l; high = z_of_string h } in
    Src (field_source (ty t) values None)
  | List [ Word "day" ] -> Src day_source
  | List [ Word "agg"; f; Word s; Word a; Word m; Word b; Word l; Word h; Word t ] ->
    Src (leaf_source (leaf f s a m b l h t))
  | List [ Word "in"; List (Word "members" :: members); a ] ->
    Among (List.map number members, expr a)
  | List [ Word "is"; Word truth; a ] -> Is (bool_of_string truth, expr a)
  | List [ Word name; a ] -> begin
    let a = expr a in
    match name with
    | "neg" -> Neg a | "floor" -> Floor a | "widen" -> Widen a | "not" -> Not a | "none" -> IsNone a
    | _ -> failwith name
  end
  | List [ Word name; a; b ] -> begin
    let a = expr a in
    let b = expr b in
    match name with
    | "add" -> Add (a, b) | "sub" -> Sub (a, b) | "mul" -> Mul (a, b) | "div" -> Div (a, b)
    | "between" -> Between (a, b)
    | "least" -> Least (a, b) | "greatest" -> Greatest (a, b) | "and" -> And (a, b) | "or" -> Or (a, b)
    | "==" -> Cmp (Eq0, a, b) | "!=" -> Cmp (Ne, a, b) | "<" -> Cmp (Lt0, a, b) | "<=" -> Cmp (Le, a, b)
    | ">" -> Cmp (Gt0, a, b) | ">=" -> Cmp (Ge, a, b)
    | _ -> failwith name
  end
  | List [ Word "if"; c; a; b ] -> If (expr c, expr a, expr b)
  | _ -> failwith "no expression"

let kind = function
  | Word "held" -> Held | Word "current" -> Current | Word "best" -> Best | Word "previous" -> Previous
  | List [ Word "read"; Word high ] -> Read (z_of_string high)
  | List [ Word "counted"; Word high; Word all ] -> Counted (z_of_string high, bool_of_string all)
  | List [ Word "first"; Word all ] -> FirstDay (bool_of_string all)
  | List [ Word "last"; Word all ] -> LastDay (bool_of_string all)
  | _ -> failwith "no kind"

(* A metric, or an expression. *)
let behaviour = function
  | List [ Word "of_completion"; k; Word lasts; e ] ->
    of_completion (kind k) (behaviour_of (expr e)) (bool_of_string lasts)
  | List [ Word "level"; List (Word "members" :: thresholds); e ] ->
    level_b (List.map number thresholds) (behaviour_of (expr e))
  | List [ Word "hidden"; e ] -> hidden_b (behaviour_of (expr e))
  | List [ Word "nearest"; step; e ] -> tidied false (nearest_b (number step) (behaviour_of (expr e)))
  | List [ Word "fraction"; Word whole; x; y ] ->
    fraction_b (bool_of_string whole) (behaviour_of (expr x)) (behaviour_of (expr y))
  | e -> behaviour_of (expr e)

let int_of b = if b then 1 else 0
let bits m = int_of m.rises + (2 * int_of m.falls) + (4 * int_of m.appears) + (8 * int_of m.vanishes)

(* -1: Swift claims more than the model; 1: less; 0: the same. *)
let claims_values (n, p, l, h) v =
  (* Where there is no value, bounds mean nothing. *)
  let empty = p = 0 && not v.may_present in
  let same =
    n = int_of v.may_none && p = int_of v.may_present && (empty || (l = v.low && h = v.high)) in
  let weaker =
    n >= int_of v.may_none && p >= int_of v.may_present && Z.leb l v.low && Z.leb v.high h in
  if same then 0 else if weaker then 1 else -1

let claims_bits swift m =
  let m = bits m in
  if swift = m then 0 else if swift lor m = swift then 1 else -1

let () =
  let same = ref 0 and weaker = ref 0 and stronger = ref 0 in
  (try
     while true do
       let line = input_line stdin in
       match String.split_on_char '\t' line with
       | [ text; found ] ->
         let b = behaviour (parse text) in
         let f = Array.of_list (String.split_on_char ' ' found) in
         let values i =
           (int_of_string f.(i), int_of_string f.(i + 1), z_of_string f.(i + 2), z_of_string f.(i + 3)) in
         let claims =
           [ claims_values (values 0) b.vals; claims_values (values 4) b.on_no_data;
             claims_bits (int_of_string f.(8)) b.added; claims_bits (int_of_string f.(9)) b.passing ] in
         if List.mem (-1) claims then begin
           incr stronger;
           if !stronger <= 20 then
             Printf.printf "MORE THAN PROVED (%s): %s\n"
               (String.concat " " (List.map string_of_int claims)) line
         end
         else if List.mem 1 claims then begin
           incr weaker;
           if !weaker <= 5 then Printf.printf "less than proved: %s\n" line
         end
         else incr same
       | _ -> failwith line
     done
   with End_of_file -> ());
  Printf.printf "%d expressions: %d equal, %d where Swift claims less, %d where it claims more\n"
    (!same + !weaker + !stronger) !same !weaker !stronger;
  exit (if !stronger > 0 || !same = 0 then 1 else 0)

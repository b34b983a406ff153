/// How the pages look. Every pair of text and ground has a contrast of 4.5 to 1 or more, which a test
/// computes; lines and bars that carry meaning have 3 to 1.
enum Stylesheet {
  /// The SHA-256 of the text in Base64, which the pages' policy names. A test computes it.
  static let hash = "bxfqGXEsYwaaKVovjEtzagh3bTfTQLvuFrRH862eNwQ="

  /// A colour by its name, for light and for dark pages.
  static let colors: [(name: String, light: String, dark: String)] = [
    ("ground", "#ffffff", "#14171c"), ("raised", "#f5f6f8", "#1d2128"), ("line", "#d5d9e0", "#363d48"),
    ("text", "#1b2028", "#e6e9ee"), ("dim", "#566070", "#a3adbb"), ("link", "#1457b0", "#8ab8ff"),
    ("accent", "#1f6f8b", "#5cb8d6"), ("band", "#cfe5ec", "#24424e"), ("track", "#e6e9ee", "#2a303a"),
    ("good", "#17693a", "#6fcf97"), ("bad", "#a3211a", "#ff9d94"), ("notice", "#fff4d6", "#3a3018"),
    ("keyword", "#8a2f7a", "#e39bd6"), ("string", "#17693a", "#8fd6a8"), ("number", "#9a4a00", "#f0b070"),
    ("h0", "#e6e9ee", "#2a303a"), ("h1", "#c3e0e9", "#1d4756"), ("h2", "#86bfd0", "#2a6e86"),
    ("h3", "#2f7f9b", "#4aa3c0"), ("h4", "#124b61", "#a6e0f2"),
    ("on0", "#1b2028", "#e6e9ee"), ("on1", "#1b2028", "#e6e9ee"), ("on2", "#10242c", "#ffffff"),
    ("on3", "#ffffff", "#08171d"), ("on4", "#ffffff", "#08171d"),
    ("user", "#e3f1ec", "#17352b"), ("userline", "#1f7a5c", "#4fb592"),
    ("team", "#e9e9fb", "#25264a"), ("teamline", "#4b4fb8", "#9497f0"),
  ]

  private static func variables(_ value: ((name: String, light: String, dark: String)) -> String) -> String {
    colors.map { "--\($0.name):\(value($0))" }.joined(separator: ";")
  }

  static let text: String = {
    let light = "color-scheme:light;" + variables { $0.light }
    let dark = "color-scheme:dark;" + variables { $0.dark }
    return """
      :root{\(light)}
      @media (prefers-color-scheme:dark){:root:not([data-theme=light]){\(dark)}}
      :root[data-theme=dark]{\(dark)}
      @media print{:root,:root:not([data-theme=light]),:root[data-theme=dark]{\(light)}}
      \(page)\(parts)\(plots)\(narrow)
      """
  }()

  private static let page = """
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%}
    body{margin:0;background:var(--ground);color:var(--text);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:break-word}
    header,main,footer{max-width:62rem;margin:0 auto;padding:0 1.25rem}
    header{display:flex;align-items:center;gap:1rem;justify-content:space-between;padding-top:1rem;padding-bottom:1rem}
    footer{color:var(--dim);font-size:.875rem;padding-top:2rem;padding-bottom:2.5rem}
    h1{font-size:2rem;line-height:1.2;margin:.5rem 0 .25rem;letter-spacing:-.01em}
    h2{font-size:1.25rem;line-height:1.3;margin:2.5rem 0 .75rem;padding-top:1.25rem;border-top:1px solid var(--line)}
    h3{font-size:1rem;margin:1.5rem 0 .5rem}
    p,ul,ol,dl{margin:.5rem 0}
    a{color:var(--link);text-underline-offset:.15em}
    :focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:3px}
    main:focus{outline:none}
    .skip{position:absolute;left:-999rem;top:0;background:var(--ground);padding:.75rem 1rem;z-index:1}
    .skip:focus{left:0}
    code,pre{font-family:ui-monospace,"SF Mono","Cascadia Mono","DejaVu Sans Mono",Menlo,Consolas,monospace;font-size:.9em}
    code{background:var(--raised);padding:.1em .3em;border-radius:4px}
    a code,pre code{background:none;padding:0}
    pre{background:var(--raised);border:1px solid var(--line);border-radius:8px;padding:1rem;overflow-x:auto;margin:.75rem 0;line-height:1.5;tab-size:2}
    button,input,select{font:inherit;color:inherit;background:var(--ground);border:1px solid var(--dim);border-radius:6px;padding:.4rem .7rem;max-width:100%}
    button{cursor:pointer}
    [hidden]{display:none!important}

    """

  private static let parts = """
    .name{color:var(--dim)}
    .lead{font-size:1.125rem;max-width:46rem}
    .tags{display:flex;flex-wrap:wrap;gap:.4rem;list-style:none;margin:.75rem 0;padding:0}
    .tags li{font-size:.8125rem;border:1px solid var(--line);border-radius:999px;padding:.05rem .65rem;background:var(--raised)}
    .tags .user{background:var(--user);border-color:var(--userline)}
    .tags .team{background:var(--team);border-color:var(--teamline)}
    .notice{background:var(--notice);border-left:4px solid var(--number);border-radius:0 8px 8px 0;padding:.6rem 1rem;margin:1rem 0}
    .filter{display:grid;grid-template-columns:2fr repeat(3,1fr);gap:.75rem;align-items:end;background:var(--raised);border:1px solid var(--line);border-radius:10px;padding:1rem;margin:1.25rem 0}
    .filter label{display:block;font-size:.8125rem;color:var(--dim)}
    .filter input,.filter select{width:100%;height:2.5rem}
    .filter p{grid-column:1/-1;margin:0;font-size:.875rem;color:var(--dim)}
    .cards{list-style:none;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(17.5rem,1fr));gap:.75rem}
    .card{border:1px solid var(--line);border-radius:10px;padding:.9rem 1rem;display:flex;flex-direction:column;gap:.3rem;min-width:0}
    .card h3{margin:0;font-size:1.0625rem;line-height:1.3}
    .card p{margin:0;font-size:.9375rem}
    .card .name{font-size:.8125rem;overflow-wrap:anywhere}
    .card .tags{margin:.25rem 0 0;margin-top:auto;padding-top:.4rem}
    .value{display:flex;align-items:center;justify-content:space-between;gap:1rem;font-weight:600}
    .value small{font-weight:400;color:var(--dim)}
    .value svg{flex:none}
    .facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:.75rem}
    .facts div{background:var(--raised);border-radius:8px;padding:.6rem .9rem}
    .facts dt{font-size:.8125rem;color:var(--dim)}
    .facts dd{margin:0;font-size:1.25rem;font-weight:600}
    .plan{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.25rem 1.25rem}
    .plan dt{color:var(--dim)}
    .plan dd{margin:0}
    .answers{list-style:none;padding:0}
    .answers li{padding:.5rem 0 .5rem 2rem;position:relative;border-bottom:1px solid var(--line)}
    .answers li:last-child{border:0}
    .answers .mark{position:absolute;left:.25rem;font-weight:700}
    .answers strong{display:block}
    .yes{color:var(--good)}.no{color:var(--bad)}.open{color:var(--dim)}
    .scroll{overflow-x:auto;max-width:100%}
    table{border-collapse:collapse;font-size:.9375rem}
    caption{text-align:left;color:var(--dim);font-size:.875rem;padding:.25rem 0}
    th,td{text-align:left;padding:.35rem 1.25rem .35rem 0;border-bottom:1px solid var(--line);vertical-align:top}
    th[scope=row]{font-weight:500;min-width:7rem}
    .k{color:var(--keyword)}.s{color:var(--string)}.n{color:var(--number)}.c{color:var(--dim);font-style:italic}
    .r{color:var(--accent);font-weight:600}.f{color:var(--link)}
    .sql{border:1px solid var(--line);border-radius:8px;margin:.5rem 0;padding:0 1rem}
    .sql>summary{color:var(--text);font-size:1rem;font-weight:600;margin:0 -1rem;padding:.6rem 1rem}
    .sql small{color:var(--dim);font-weight:400}
    .sql pre{max-height:32rem;overflow:auto;margin-bottom:1rem}
    .whole{white-space:nowrap}
    .copy{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.5rem 1rem}
    .copy button{min-width:6rem}
    .spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}

    """

  private static let plots = """
    .plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),1fr));gap:2rem 2.5rem;align-items:start;margin-top:1.25rem}
    .plot{margin:0;min-width:0}
    .plot.wide{grid-column:1/-1}
    .plot:only-child{grid-column:1/-1;max-width:32rem}
    .plot>svg{width:100%;height:auto;display:block;margin-top:.5rem}
    .plot.small>svg{width:auto;max-width:100%}
    .plot.grow svg{min-width:100%;height:auto}
    .hit{fill:transparent}
    .hit:hover{fill:var(--dim);opacity:.2}
    .told{color:var(--dim);font-size:.875rem;margin:.25rem 0;min-height:1.4em}
    .plot .scroll{margin-top:.5rem}
    figcaption strong{display:block}
    figcaption span,summary{color:var(--dim);font-size:.875rem}
    summary{cursor:pointer;margin-top:.4rem}
    svg text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;fill:var(--text)}
    .tick{font-size:11px}
    svg .tick,svg .dim{fill:var(--dim)}
    .label{font-size:13px}
    .grid{stroke:var(--line);fill:none}
    .line{stroke:var(--accent);stroke-width:2;fill:none;stroke-linejoin:round}
    .dot,.bar{fill:var(--accent)}
    .band{fill:var(--band)}
    .track{fill:var(--track)}
    .heat.h0{fill:var(--h0)}.heat.h1{fill:var(--h1)}.heat.h2{fill:var(--h2)}.heat.h3{fill:var(--h3)}.heat.h4{fill:var(--h4)}
    .heat.none{fill:none;stroke:var(--line)}
    .cell{font-size:12px}
    svg .c0{fill:var(--on0)}svg .c1{fill:var(--on1)}svg .c2{fill:var(--on2)}svg .c3{fill:var(--on3)}svg .c4{fill:var(--on4)}
    .edge{stroke:var(--dim);fill:none;stroke-width:1.25;opacity:.75}
    .node rect{stroke-width:1.25;stroke:var(--dim);fill:var(--raised)}
    .node.user rect{stroke:var(--userline);fill:var(--user)}
    .node.team rect{stroke:var(--teamline);fill:var(--team)}
    .node.centre rect{stroke-width:3}
    svg .node .name{font:12px ui-monospace,"SF Mono","Cascadia Mono","DejaVu Sans Mono",Menlo,Consolas,monospace;fill:var(--text)}
    svg .node .kind{font-size:11px;fill:var(--dim)}
    svg a:hover rect,svg a:focus rect{stroke-width:2.5}

    """

  private static let narrow = """
    @media (max-width:40rem){
    header,main,footer{padding-left:1rem;padding-right:1rem}
    h1{font-size:1.625rem}
    .filter{grid-template-columns:1fr 1fr}
    .filter .wide{grid-column:1/-1}
    .plan{grid-template-columns:minmax(0,1fr)}
    .plan dd{margin-bottom:.5rem}
    .stack thead{display:none}
    .stack tr,.stack th,.stack td{display:block}
    .stack tr{border-bottom:1px solid var(--line);padding:.5rem 0}
    .stack th,.stack td{border:0;padding:.1rem 0}
    .stack td::before{content:attr(data-label) ": ";color:var(--dim)}
    }
    @media print{
    header button,.filter,.skip,summary{display:none!important}
    body{font-size:11pt}
    h2{break-after:avoid}
    figure,.card,tr{break-inside:avoid}
    pre{white-space:pre-wrap}
    .scroll{overflow:visible}
    .scroll>svg{max-width:100%;height:auto}
    .sql:not([open]){display:none}
    .sql pre{max-height:none}
    a{color:inherit;text-decoration:none}
    }
    """
}

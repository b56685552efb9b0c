/** Styles of the document page: cards below each other, the amount in large figures, one column on a phone. */
export const documentStyle = `
/* the page of a document */
.customer { --wait: #8a5a00; --wait-wash: #fbf0d9; --bad-wash: #fbe9e4; font-variant-numeric: tabular-nums lining-nums; }
.letterhead { display: flex; align-items: center; justify-content: space-between; gap: 1rem; max-inline-size: 46rem; margin-inline: auto; padding: 1.4rem clamp(1.1rem, 4vw, 2rem) .4rem; }
.letterhead .company { display: flex; align-items: center; gap: .8rem; min-inline-size: 0; margin: 0; font: 600 1.1875rem/1.3 var(--serif); overflow-wrap: anywhere; }
.letterhead .logo { display: block; max-block-size: 2.75rem; max-inline-size: 9rem; object-fit: contain; border-radius: 4px; }
.letterhead .other { flex: none; font-size: .9375rem; padding-block: .4rem; }
.document { max-inline-size: 46rem; margin-inline: auto; padding: .8rem clamp(.7rem, 4vw, 2rem) 3rem; display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); }
.sheet { background: var(--card); border: 1px solid var(--rule); border-radius: 14px; padding: clamp(1.2rem, 5vw, 2.4rem); box-shadow: 0 1px 2px rgb(0 0 0 / .04), 0 12px 32px -18px rgb(0 0 0 / .16); overflow-wrap: anywhere; }
.sheet > h2, .sheet .notes h2 { font-size: 1.25rem; margin-block-end: .7rem; }
.sheet .soft { color: var(--soft); font-size: .9375rem; }
.summary { padding-block-end: 1.5rem; border-block-end: 4px double var(--accent); }
.states { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0 0 1rem; }
.state { font: 600 .875rem/1.4 var(--sans); border-radius: 99px; padding: .22rem .8rem; background: var(--tint); color: var(--ink); }
.state.good { background: var(--wash); color: var(--accent); }
.state.soon { background: var(--wait-wash); color: var(--wait); }
.state.wrong { background: var(--bad-wash); color: var(--danger); }
.summary h1 { font-size: clamp(1.375rem, 5vw, 1.75rem); font-weight: 500; text-wrap: pretty; }
.summary .sum { font: 600 clamp(2.25rem, 10vw, 3.25rem)/1.15 var(--serif); letter-spacing: -.01em; margin: .3rem 0 0; }
.summary .sum bdi { white-space: nowrap; }
.summary .sum.long { font-size: clamp(1.625rem, 7.6vw, 3rem); }
.summary .sum.longer { font-size: clamp(1.125rem, 5.4vw, 2.5rem); }
.summary .whole { display: inline-block; font: 400 1rem/1.4 var(--sans); letter-spacing: 0; color: var(--soft); }
.summary .actions { margin: 1.3rem 0 0; }
.summary .button { display: inline-block; }
.document .facts { margin: 1.4rem 0 0; display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.1rem 1rem; }
.document .facts .day { white-space: nowrap; }
.document .facts dt { font-size: .8125rem; color: var(--soft); margin-block-end: .1rem; }
.document .facts dd { margin: 0; color: var(--ink); font-size: 1rem; min-inline-size: 0; line-height: 1.5; }
.document .facts .soft { font-size: .875rem; }
.lines { margin: 1.9rem 0 0; font-size: 1rem; }
.lines thead th { font-size: .8125rem; padding: 0 0 .35rem; }
.lines tbody th, .lines tbody td { padding: .8rem 0; line-height: 1.45; }
.lines tbody th { padding-inline-end: 1.2rem; }
[dir=auto] { text-align: -webkit-match-parent; text-align: match-parent; }
.lines .what { display: block; white-space: pre-line; }
.lines tbody .soft { display: block; font-size: .875rem; }
.lines .number, .lines thead .number { text-align: end; white-space: nowrap; }
.sums { margin: 1rem 0 0; margin-inline-start: auto; max-inline-size: 22rem; }
.sums > div { display: flex; justify-content: space-between; gap: 1.5rem; padding-block: .3rem; }
.sums dt { color: var(--soft); }
.sums dd { margin: 0; white-space: nowrap; }
.sums .strong { font-weight: 600; font-size: 1.125rem; border-block-start: 1px solid var(--ink); margin-block-start: .35rem; padding-block: .55rem; }
.sums .strong dt { color: inherit; }
.notes { margin-block-start: 1.8rem; padding-block-start: 1.3rem; border-block-start: 1px solid var(--rule); }
.notes p { margin: 0; white-space: pre-line; }
.pay > .soft { margin: 0; }
.pay .facts { gap: 0; grid-template-columns: minmax(0, 1fr); margin-block-start: .8rem; }
.pay .facts > div { padding-block: .6rem; border-block-start: 1px solid var(--rule); }
.pay .facts dd { display: flex; justify-content: space-between; align-items: center; gap: 1rem; font-weight: 600; }
.pay .facts dd > bdi { min-inline-size: 0; }
.pay .pay-notes { margin: .8rem 0 0; white-space: pre-line; }
.scan { margin: 1.1rem 0 .4rem; text-align: center; }
.scan svg { inline-size: 11rem; max-inline-size: 100%; background: #fff; border-radius: 8px; }
.scan figcaption { font-size: .875rem; color: var(--soft); }
.copy { flex: none; font: 500 .875rem/1.4 var(--sans); color: var(--accent); background: none; border: 1px solid var(--rule); border-radius: 7px; padding: .4rem .8rem; cursor: pointer; }
.copy:hover { border-color: var(--accent); }
.files { list-style: none; margin: 0; padding: 0; }
.files li { display: flex; justify-content: space-between; gap: 1rem; padding-block: .6rem; border-block-start: 1px solid var(--rule); }
.files li > a { min-inline-size: 0; }
.files .soft { flex: none; }
.thread { list-style: none; margin: 0 0 1.4rem; padding: 0; display: grid; gap: .9rem; grid-template-columns: minmax(0, 1fr); }
.thread li { border-radius: 12px; padding: .8rem 1rem; background: var(--tint); margin-inline-end: clamp(0rem, 6vw, 3rem); }
.thread .company-said { background: var(--wash); margin-inline: clamp(0rem, 6vw, 3rem) 0; }
.thread p { margin: 0; }
.thread .who { line-height: 1.45; }
.thread .who .soft, .thread .company-said .soft { font-size: .8125rem; color: color-mix(in srgb, var(--soft) 80%, var(--ink)); }
.thread .what { margin-block-start: .35rem; white-space: pre-line; }
.say { border-block-start: 1px solid var(--rule); padding-block: .3rem; }
.say summary { cursor: pointer; padding-block: .7rem; font-weight: 600; color: var(--accent); border-radius: 4px; }
.say form { padding-block: .3rem 1.1rem; }
.say > .soft { margin-block-end: 1rem; }
.field textarea { display: block; inline-size: 100%; margin: 0; font: inherit; color: inherit; background: var(--paper); border: 1px solid color-mix(in srgb, var(--soft) 70%, var(--rule)); border-radius: 8px; padding: .6rem .8rem; resize: vertical; }
.field textarea:focus { outline: 3px solid var(--accent); outline-offset: -1px; border-color: transparent; }
.say form button { font: 600 1rem/1.4 var(--sans); color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 8px; padding: .7rem 1.4rem; cursor: pointer; }
.say form button.danger { color: var(--danger); background: none; border-color: var(--danger); }
.say form button:disabled { opacity: .6; cursor: progress; }
.document .foot { margin: 0; border: 0; padding: .4rem .3rem 0; }
.missing h1 { font-size: 1.625rem; margin-block-end: .8rem; }
.missing p { margin: 0; }
@media (max-width: 40rem) { .document .facts .party { grid-column: 1 / -1; } .say form button { inline-size: 100%; } .sums { max-inline-size: none; } }
@media (prefers-color-scheme: dark) { .customer { --wait: #e7bf74; --wait-wash: #33290f; --bad-wash: #3a2019; } }
@media print { .letterhead .other, .talk, .copy, .document .foot, .summary .actions { display: none; } .sheet { border: 0; box-shadow: none; padding: 0; } .document { padding: 0; } }
`

/** What Markdown adds to a readable page: alerts, footnotes, lists of tasks, colours of code. */
export const MARKDOWN_STYLES = `
:root{--note:#1f5fbf;--tip:#1a7f4b;--important:#7a4bc2;--warning:#8f5a00;--caution:#b3261e}
@media (prefers-color-scheme:dark){:root{--note:#8ab4f8;--tip:#7ccf9f;--important:#c3a6f0;
--warning:#e3b35c;--caution:#f2a49d}}
:is(th,td)[align=center]{text-align:center}:is(th,td)[align=right]{text-align:right}
li:has(>input[type=checkbox]){list-style:none}
li>input[type=checkbox]{margin:0 .4em 0 -1.4em;vertical-align:middle}
.markdown-alert{--c:var(--note);border-left:3px solid var(--c);padding-left:16px;margin:0 0 1em}
.markdown-alert>:last-child{margin-bottom:0}
.markdown-alert-title{display:flex;align-items:center;gap:8px;color:var(--c);font-weight:600;
margin-bottom:.25em}
.markdown-alert-title svg{fill:currentColor;flex:none}
.markdown-alert-tip{--c:var(--tip)}.markdown-alert-important{--c:var(--important)}
.markdown-alert-warning{--c:var(--warning)}.markdown-alert-caution{--c:var(--caution)}
.footnotes{border-top:1px solid var(--line);margin-top:3em;padding-top:1em;font-size:.85em}
.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
[data-footnote-ref]{text-decoration:none}
math[display=block]{overflow-x:auto;overflow-y:hidden;margin:0 0 1em}
.mermaid{background:none;padding:0;text-align:center}
.hljs-comment,.hljs-quote,.hljs-meta{color:var(--muted)}
.hljs-keyword,.hljs-selector-tag,.hljs-literal,.hljs-deletion,.hljs-name{color:var(--caution)}
.hljs-string,.hljs-regexp,.hljs-addition,.hljs-template-variable{color:var(--tip)}
.hljs-title,.hljs-section,.hljs-selector-id,.hljs-selector-class{color:var(--important)}
.hljs-number,.hljs-attr,.hljs-attribute,.hljs-variable,.hljs-symbol,.hljs-bullet,
.hljs-link{color:var(--note)}
.hljs-built_in,.hljs-type,.hljs-params .hljs-type{color:var(--warning)}
.hljs-emphasis{font-style:italic}.hljs-strong{font-weight:600}
`.trimEnd()

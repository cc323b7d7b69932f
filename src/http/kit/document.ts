import { createHash } from 'node:crypto'
import { type Html, html, rawHtml } from '../../model/html.ts'
import type { Assets } from './assets.ts'

export interface DocumentParts {
  title: string
  accent?: string | undefined
  lang?: string | undefined
  /** The whole policy; a header may repeat it and add what a `meta` cannot say. */
  csp: string
  /** Our own sheet, inline, so that the document needs nothing else to look right. */
  style?: string | undefined
  /** Where the web fonts come from; without it the fallback faces of the tokens stand in. */
  assets?: Assets | undefined
  head?: Html | undefined
  body: Html
}

/** A complete document of ours; never indexed. */
export function documentPage(parts: DocumentParts): string {
  return html`<!doctype html>
<html lang="${parts.lang ?? 'en'}" data-accent="${parts.accent ?? 'blue'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${parts.csp}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="same-origin">
<title>${parts.title}</title>
<link rel="icon" href="data:,">
${parts.assets && html`<link rel="stylesheet" href="${parts.assets.url('fonts.css')}">`}
${parts.style !== undefined && html`<style>${rawHtml(parts.style)}</style>`}
${parts.head}
</head>
<body>
${parts.body}
</body>
</html>
`.toString()
}

/**
 * What a document of ours without script may do: look as we wrote it and, where it says so, post
 * its form. `img-src data:` is the empty icon.
 */
export function scriptlessPolicy(style: string, formAction: "'none'" | "'self'"): string {
  const hash = createHash('sha256').update(style).digest('base64')
  return [
    "default-src 'none'",
    `style-src 'self' 'sha256-${hash}'`,
    "font-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    `form-action ${formAction}`,
  ].join('; ')
}

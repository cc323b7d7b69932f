import { createHash } from 'node:crypto'
import { type Html, html, rawHtml } from '../../model/html.ts'
import { plainText } from '../../model/plain-text.ts'
import type { Assets } from './assets.ts'

export interface DocumentParts {
  title: string
  accent?: string | undefined
  lang?: string | undefined
  /** The content security policy of the `meta` tag. A header can add what a `meta` cannot say. */
  csp: string
  /** The stylesheet, which is inlined. */
  style?: string | undefined
  /** Adds the web fonts. Without it the document uses fallback fonts. */
  assets?: Pick<Assets, 'url'> | undefined
  head?: Html | undefined
  body: Html
}

/** Renders a complete HTML document of our own. Search engines do not index it. */
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

/** `meta` tags by name; null leaves one out. Those of Open Graph are properties. */
export function metaTags(tags: Record<string, string | null>): Html {
  const present = Object.entries(tags).filter(([, content]) => content !== null)
  return html`${present.map(([name, content]) => {
    const attribute = name.startsWith('og:') ? 'property' : 'name'
    return html`<meta ${attribute}="${name}" content="${content && plainText(content)}">\n`
  })}`
}

/**
 * The content security policy of a document without scripts. It allows the inline style, and forms
 * to `formAction`. `img-src` is for logos and the empty icon.
 */
export function scriptlessPolicy(style: string, formAction: string): string {
  return [
    "default-src 'none'",
    `style-src 'self' ${hashSource(style)}`,
    "font-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    `form-action ${formAction}`,
  ].join('; ')
}

/** The source of an inline script or style in a content security policy. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

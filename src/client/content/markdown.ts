import { rawHtml } from '../../model/html.ts'
import { readingPage } from './reading-page.ts'

/**
 * A readable document of Markdown. HTML in it stays as it is: published pages are sandboxed. The
 * title is its first heading, else the name of the file.
 */
export async function markdownPage(markdown: string, name = ''): Promise<Blob> {
  const { marked } = await import('marked')
  const { text, title: ownTitle } = withoutFrontMatter(markdown)
  const heading = /^#\s+(.+?)\s*#*$/m.exec(text)?.[1]?.replace(/[*_`]/g, '')
  const title = ownTitle ?? heading ?? name.replace(/\.[^.]*$/, '')
  const body = await marked.parse(text, { gfm: true })
  return readingPage(title, rawHtml(body))
}

/** Tools put settings before the text, between two lines of dashes. */
function withoutFrontMatter(markdown: string): { text: string; title: string | null } {
  const match = /^﻿?---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(markdown)
  if (match === null) return { text: markdown, title: null }
  const title = /^title:\s*(.+)$/m
    .exec(match[1]!)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, '$2')
  return { text: markdown.slice(match[0].length), title: title || null }
}

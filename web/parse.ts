/** The value of a JSON text; null where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Parses HTML of others for reading: as a document alone, it runs and loads nothing. Styles and
 * handlers are left out: the browser reports each one that our policy does not let it use.
 */
export function parseHtml(html: string): Document {
  const plain = html
    .replace(/<style\b[\s\S]*?(<\/style\s*>|$)/gi, '')
    .replace(/<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi, (tag) =>
      tag.replace(/("[^"]*"|'[^']*')|\b(style|on[a-z]+)(?=\s*=)/gi, (_, value, name) =>
        name ? `data-${name}` : value,
      ),
    )
  return new DOMParser().parseFromString(plain, 'text/html')
}

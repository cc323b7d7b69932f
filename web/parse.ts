/** Bounded in its quoted values: each tag that never ends would be read to the end of the text. */
const TAG = /<[a-z][^<>"']*(?:(?:"[^"]*"|'[^']*')[^<>"']*){0,100}>/gi

/**
 * Parses HTML of others for reading: as a document alone, it runs and loads nothing. Styles and
 * handlers are left out: the browser reports each one that our policy does not let it use.
 */
export function parseHtml(html: string): Document {
  const plain = html
    .replace(/<style\b[\s\S]*?(<\/style\s*>|$)/gi, '')
    .replace(TAG, (tag) =>
      tag.replace(/("[^"]*"|'[^']*')|\b(style|on[a-z]+)(?=\s*=)/gi, (_, value, name) =>
        name ? `data-${name}` : value,
      ),
    )
  return new DOMParser().parseFromString(plain, 'text/html')
}

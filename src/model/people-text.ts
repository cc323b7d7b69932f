/** A name and an address that somebody typed or pasted. */
export interface TypedPerson {
  label: string
  email: string | null
}

const SEPARATORS = /[\s<>,;"“”]+/

/**
 * Reads people from pasted text: one in a line, as `Ann Li <ann@example.com>`, as a row of a CSV in
 * any order, as a name alone, or several addresses in a line. What reads the addresses checks them.
 */
export function peopleIn(text: string): TypedPerson[] {
  return text.split(/\r?\n/).flatMap((line, at): TypedPerson[] => {
    const words = line.split(SEPARATORS).filter((word) => word !== '')
    const emails = words.filter(isAddress)
    if (emails.length > 1) return emails.map((email) => ({ label: email, email }))
    const [email = null] = emails
    const name = words.filter((word) => !isAddress(word)).join(' ')
    const isHeading = at === 0 && email === null && /\be-?mail\b/i.test(name)
    if (isHeading || words.length === 0) return []
    return [{ label: name || email!, email }]
  })
}

function isAddress(word: string): boolean {
  return word.indexOf('@') > 0 && !word.endsWith('@')
}

import { parseEmail } from '../../model/text.ts'

export interface Message {
  /** Ours: a retry is the same message. */
  id: string
  to: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

/** Takes one message on its way. Resolves once somebody else is responsible for it. */
export interface Transport {
  /** @throws Rejected when trying again would not help; anything else may be tried again */
  send(message: Message): Promise<void>
  /** What is being sent now fails. */
  close(): Promise<void>
}

/** The final no to this mail: its address, or what it says. */
export class Rejected extends Error {}

/**
 * Quotes, comments and lists are read differently by different mail servers, and then somebody else
 * gets the link: only the one plain spelling leaves the house.
 *
 * @throws Rejected
 */
export function assertPlainAddress(address: string): void {
  if (parseEmail(address) !== address) throw new Rejected('This is not a plain email address')
}

/** Of `Handbill <pages@example.com>`, or of the bare address. */
export function addressIn(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from
}

/** The same at every try, so that whoever got it twice can tell. */
export function messageIdOf(id: string, from: string): string {
  const address = addressIn(from)
  return `<${id}@${address.slice(address.lastIndexOf('@') + 1)}>`
}

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
  close(): Promise<void>
}

/** The receiving side's final no. */
export class Rejected extends Error {}

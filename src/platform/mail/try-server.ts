import { randomUUID } from 'node:crypto'

const TIMEOUTS = { silenceMs: 10_000, totalMs: 30_000 }
/** Of what a mail server answers. */
const MAX_ANSWER_LENGTH = 500

export interface TriedMail {
  is_taken: boolean
  /** The words of the server, or what went wrong before it had any. */
  answer: string
}

/** Sends one mail through a mail server. */
export async function tryMailServer(
  { smtpUrl, mailFrom }: { smtpUrl: string; mailFrom: string },
  { to, baseUrl, name }: { to: string; baseUrl: string; name: string },
): Promise<TriedMail> {
  const { smtpTransport } = await import('./smtp.ts')
  const transport = smtpTransport(smtpUrl, mailFrom, TIMEOUTS)
  const text = `This is a test of ${baseUrl}. Its mails reach you.`
  const message = {
    id: `test-${randomUUID()}`,
    to,
    subject: `${name} can send mails`,
    text,
    html: `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
  const tried = (is_taken: boolean, answer: string) => {
    return { is_taken, answer: answer.replace(/[^\P{C}\n]/gu, ' ').slice(0, MAX_ANSWER_LENGTH) }
  }
  try {
    return tried(true, String(await transport.send(message)))
  } catch (err) {
    return tried(false, (err as Error).message)
  } finally {
    await transport.close()
  }
}

import { randomUUID } from 'node:crypto'
import { CommandFailed, type Output } from '../../cli/output.ts'
import { parseEmail } from '../model/text.ts'
import type { Config } from '../platform/config.ts'
import { addressOf } from './address.ts'
import { listBackups } from './list-backups.ts'
import type { ApartName } from './names.ts'
import { restoreBackup } from './restore-backup.ts'

const HEALTH_TIMEOUT_MS = 5000

/** Commands that do not open a server's data, or create it. */
export const APART: Record<
  ApartName,
  (config: Config, args: string[], output: Output) => Promise<void>
> = {
  healthcheck: checkHealth,
  'backup list': listBackups,
  'backup restore': restoreBackup,
  'mail test': testMail,
}

/** Succeeds if the server with these settings is ready. For health checks of containers. */
async function checkHealth({ listen }: Config, _args: string[], output: Output): Promise<void> {
  const url = addressOf(listen)
  const status = await fetch(`${url}/readyz`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
  }).then(
    (response) => response.status,
    () => null,
  )
  if (status === 200) return output.result({ ready: true, url }, `${url} is ready.`)
  const answer = status === null ? 'does not answer' : `answered ${status}`
  throw new CommandFailed(`${url} ${answer}: check PORT and HOST, and the log of the server.`)
}

/** Sends one mail through the mail server, and prints its answer. */
async function testMail(config: Config, [address]: string[], output: Output): Promise<void> {
  const to = parseEmail(address!)
  if (to === null) throw new CommandFailed(`${address} is not an email address.`)
  const { smtpUrl, mailFrom, baseUrl } = config
  if (smtpUrl === null) {
    throw new CommandFailed(
      'SMTP_URL is not set, so every mail is a file in DATA_DIR/outbox: set it to send mails.',
    )
  }
  const { host } = new URL(smtpUrl)
  const { smtpTransport } = await import('../platform/mail/smtp.ts')
  const transport = smtpTransport(smtpUrl, mailFrom)
  const text = `This is a test of ${baseUrl}. Its mails reach you.`
  try {
    const response = await transport.send({
      id: `test-${randomUUID()}`,
      to,
      subject: 'Handbill can send mails',
      text,
      html: `<p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
    const answer = String(response)
    const lines = [`${host} took the mail from ${mailFrom} to ${to}.`, `It answered: ${answer}`]
    output.result({ server: host, from: mailFrom, to, answer }, lines)
  } catch (err) {
    const { message } = err as Error
    throw new CommandFailed(
      `${host} did not take the mail: ${message}. Check SMTP_URL and MAIL_FROM.`,
    )
  } finally {
    await transport.close()
  }
}

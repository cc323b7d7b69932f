import type { ApartName } from '../../cli/commands/server.ts'
import { CommandFailed, type Output, table } from '../../cli/output.ts'
import { DEFAULT_NAME } from '../model/site.ts'
import { parseEmail } from '../model/text.ts'
import { backupTime, isComplete } from '../platform/backup-store/index.ts'
import { type Config, defaultSender } from '../platform/config.ts'
import { addressOf } from './places.ts'
import { openPlace, readPlace, restoreBackup } from './restore-backup.ts'

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
  const to = parseEmail(address!)!
  const { smtpUrl, baseUrl, serverName } = config
  const name = serverName ?? DEFAULT_NAME
  if (smtpUrl === null) {
    throw new CommandFailed(
      'SMTP_URL is not set. Set it to send mails; a mail server that was set in the app is tried ' +
        'there, under Operator and Settings.',
    )
  }
  const { host } = new URL(smtpUrl)
  const mailFrom = config.mailFrom ?? defaultSender(baseUrl, name)
  const { tryMailServer } = await import('../platform/mail/smtp.ts')
  const { is_taken, answer } = await tryMailServer({ smtpUrl, mailFrom }, { to, baseUrl, name })
  if (!is_taken) {
    throw new CommandFailed(
      `${host} did not take the mail: ${answer}. Check SMTP_URL and MAIL_FROM.`,
    )
  }
  const lines = [`${host} took the mail from ${mailFrom} to ${to}.`, `It answered: ${answer}`]
  output.result({ server: host, from: mailFrom, to, answer }, lines)
}

/** Lists the scheduled backups, the newest first. */
async function listBackups(config: Config, _args: string[], output: Output): Promise<void> {
  const store = await openPlace(config)
  const backups = await readPlace(store, () => store.list())
  const list = await Promise.all(
    backups.toReversed().map(async (backup) => ({
      name: backup.name,
      created_at: new Date(backupTime(backup.name)!).toISOString(),
      size_bytes: backup.sizeBytes,
      is_complete: await readPlace(store, () => isComplete(store, backup)),
    })),
  )
  const rows = list.map((backup) => ({
    name: backup.name,
    created: `${backup.created_at.slice(0, 16).replace('T', ' ')} UTC`,
    bytes: String(backup.size_bytes),
    complete: backup.is_complete ? 'yes' : 'no',
  }))
  output.result(list, table(rows, `There is no backup in ${store.place} yet.`))
}

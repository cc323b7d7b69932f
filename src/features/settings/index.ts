import type { z } from 'zod'
import { type Accent, DEFAULT_ACCENT } from '../../model/accent.ts'
import { refuse } from '../../model/errors.ts'
import { operationsOf } from '../../model/operation.ts'
import { DEFAULT_NAME, type Site } from '../../model/site.ts'
import { type Config, defaultSender } from '../../platform/config.ts'
import { VARIABLES } from '../../platform/config-variables.ts'
import type { Services } from '../../platform/services.ts'
import type { changeSettings } from './contract.ts'
import * as contract from './contract.ts'
import * as store from './store.ts'

/** The channel on which a write notifies every node. */
const CHANNEL = 'settings'
/** The purpose of the key that the address of the mail server is encrypted with. */
const SEALED = 'settings'

export type SignUpMode = Config['signup']

/** The settings as they apply now. */
export interface ServerSettings {
  /** Null: mails are files in the data folder. */
  smtpUrl: string | null
  mailFrom: string
  /** Null: closed as soon as there is an account. */
  signup: SignUpMode
  name: string
  accent: Accent
  /** How long is kept who opened a page. */
  peopleRetentionMonths: number
}

const DEFAULT_RETENTION_MONTHS = 13

/** What operators can change, and the environment variable that locks it, with its member. */
const LOCKS = {
  smtp_url: ['SMTP_URL', 'smtpUrl'],
  mail_from: ['MAIL_FROM', 'mailFrom'],
  signup: ['SIGNUP', 'signup'],
  name: ['SERVER_NAME', 'serverName'],
  accent: ['SERVER_ACCENT', 'serverAccent'],
  people_retention_months: ['PEOPLE_RETENTION_MONTHS', 'peopleRetentionMonths'],
} as const
type Lockable = keyof typeof LOCKS
type Stored = Partial<Record<Lockable, string>>
/** Null: the environment does not set it. */
type Environment = Pick<Config, (typeof LOCKS)[Lockable][1] | 'baseUrl'>

type SettingChanges = z.output<typeof changeSettings.input>

export interface SettingsDeps extends Pick<Services, 'database' | 'secrets' | 'clock' | 'log'> {
  /** What the environment sets, which wins. */
  environment: Environment
}

export type Settings = Awaited<ReturnType<typeof createSettings>>

/** The settings of the server: of the environment, else of operators. Every node follows. */
export async function createSettings(deps: SettingsDeps) {
  const { database, secrets, clock, log, environment } = deps
  let values: Stored = {}
  let current: ServerSettings
  const site: Site = {
    host: new URL(environment.baseUrl).host,
    get name() {
      return current.name
    },
    get accent() {
      return current.accent
    },
  }

  async function load(): Promise<void> {
    values = await readStored(deps)
    current = settingsOf(environment, values)
  }

  const reload = () => void load().catch((err) => log.error('settings were not read', { err }))
  await load()
  await database.listen(CHANNEL, reload, reload)

  /** The address with the password that is stored, where it is of the same server and user. */
  function withPassword(text: string): string {
    const url = new URL(checked(environment, 'smtp_url', text))
    const old = values.smtp_url === undefined ? null : new URL(values.smtp_url)
    const isSame = old?.host === url.host && old.username === url.username
    if (isSame && url.password === '' && url.username !== '') url.password = old.password
    return url.href
  }

  return {
    current: () => current,
    /** Follows the settings. */
    site,
    describe() {
      const { smtpUrl, mailFrom, signup, name, accent, peopleRetentionMonths } = current
      const url = smtpUrl === null ? null : new URL(smtpUrl)
      const hasPassword = Boolean(url?.password)
      if (url !== null) url.password = ''
      const locked = Object.entries(LOCKS).flatMap(([name, [variable, member]]) =>
        environment[member] === null ? [] : [[name, variable]],
      )
      return {
        smtp_url: url?.href ?? null,
        smtp_has_password: hasPassword,
        mail_from: mailFrom,
        signup: signup ?? ('closed' as const),
        name,
        accent,
        people_retention_months: peopleRetentionMonths,
        locked: Object.fromEntries(locked),
      }
    },
    /** @throws Refusal `setting_locked`, `bad_setting` */
    async change(changes: SettingChanges): Promise<void> {
      const values = Object.entries(changes).map(([key, value]) => {
        if (value == null) return [key, value] as const
        if (key !== 'smtp_url') {
          return [key, checked(environment, key as Lockable, `${value}`)] as const
        }
        return [key, secrets.seal(SEALED, key, withPassword(`${value}`))] as const
      })
      await database.write(async (tx) => {
        for (const [key, value] of values) {
          if (value === null) await store.remove(tx, [key])
          else if (value) await store.upsert(tx, { name: key, value, updated_at: clock.now() })
        }
        await database.notify(tx, CHANNEL, '')
      })
      await load()
    },
    /**
     * The mail server to try: that which applies, or one that is not set yet.
     *
     * @throws Refusal `setting_locked`, `bad_setting`, `no_mail_server`
     */
    mailServer({ smtp_url: url, mail_from: from }: Pick<SettingChanges, 'smtp_url' | 'mail_from'>) {
      const smtpUrl = url ? withPassword(url) : current.smtpUrl
      const mailFrom = from ? checked(environment, 'mail_from', from) : current.mailFrom
      if (smtpUrl !== null) return { smtpUrl, mailFrom }
      throw refuse.conflict('no_mail_server', 'No mail server is set: set one first.')
    },
  }
}

function settingsOf(environment: Environment, values: Stored): ServerSettings {
  const { smtpUrl, mailFrom, signup, serverAccent, peopleRetentionMonths, baseUrl } = environment
  const name = environment.serverName ?? values.name ?? DEFAULT_NAME
  return {
    smtpUrl: smtpUrl ?? values.smtp_url ?? null,
    mailFrom: mailFrom ?? values.mail_from ?? defaultSender(baseUrl, name),
    signup: signup ?? (values.signup as SignUpMode | undefined) ?? null,
    name,
    accent: serverAccent ?? (values.accent as Accent | undefined) ?? DEFAULT_ACCENT,
    peopleRetentionMonths:
      peopleRetentionMonths ?? Number(values.people_retention_months ?? DEFAULT_RETENTION_MONTHS),
  }
}

/** With another master key the address of the mail server cannot be read: it is as if unset. */
async function readStored({ database, secrets, log }: SettingsDeps): Promise<Stored> {
  const rows = await store.readAll(database.read, [])
  const values: Stored = Object.fromEntries(rows.map(({ name, value }) => [name, value]))
  if (values.smtp_url === undefined) return values
  const { smtp_url, ...others } = values
  const address = secrets.openOrNull(SEALED, 'smtp_url', smtp_url)
  if (address !== null) return { ...others, smtp_url: address }
  log.error('the address of the mail server cannot be read: set it again')
  return others
}

/** @throws Refusal `setting_locked`, `bad_setting` */
function checked(environment: Environment, name: Lockable, value: string): string {
  const [variable, member] = LOCKS[name]
  if (environment[member] !== null) {
    throw refuse.conflict(
      'setting_locked',
      `${variable} sets this where the server is started: change it there, or remove it there.`,
      { param: name },
    )
  }
  const { read, must } = VARIABLES[variable]
  if (read.safeParse(value).success) return value
  throw refuse.invalid('bad_setting', `${name} must be ${must}.`, { param: name })
}

/** @param tryMail sends one mail, and says what the server answered */
export function settingOperations(
  settings: Settings,
  tryMail: (
    server: { smtpUrl: string; mailFrom: string },
    to: string,
  ) => Promise<{ is_taken: boolean; answer: string }>,
) {
  return operationsOf(contract, {
    getSettings: async () => settings.describe(),
    changeSettings: async (_subject, changes) => {
      await settings.change(changes)
      return settings.describe()
    },
    testMail: async (_subject, { to, ...changes }) => {
      const server = settings.mailServer(changes)
      return { server: new URL(server.smtpUrl).host, ...(await tryMail(server, to)) }
    },
  })
}

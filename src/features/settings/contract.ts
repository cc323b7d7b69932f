import { z } from 'zod'
import { ACCENTS } from '../../model/accent.ts'
import { contractsOf } from '../../model/operation.ts'
import { email, line } from '../../model/text.ts'

const operatorContract = contractsOf('Operator', 'operator')
const SIGNUP_MODES = ['open', 'invite', 'closed'] as const

const retention = z.int().min(1).max(120)

const settings = z
  .object({
    smtp_url: z.string().nullable().describe('The mail server, without its password; null: none.'),
    smtp_has_password: z.boolean(),
    mail_from: z.string().describe('The sender of mails, as it applies.'),
    signup: z
      .enum(SIGNUP_MODES)
      .describe('Who may make an account: anyone, people who are invited to a page, or nobody.'),
    name: z.string().describe('What the server is called on its pages and in its mails.'),
    accent: z.enum(ACCENTS).describe('The colour of what has no other.'),
    people_retention_months: retention.describe('How long is kept who opened a page, in months.'),
    locked: z
      .record(z.string(), z.string())
      .describe('Members that an environment variable sets, each with its name: they stay so.'),
  })
  .meta({ id: 'ServerSettings', description: 'What operators set in the app.' })

export const getSettings = operatorContract({
  summary: 'Read the settings of this server.',
  description: 'Those that can be changed while it runs. The rest are environment variables.',
  http: { method: 'GET', path: '/operator/settings', status: 200 },
  data: settings,
})

const text = (max: number) => z.string().trim().max(max)
const smtpUrl = text(1000).describe(
  '`smtp://user:password@host:587`, or `smtps://…`. Without a password, that of the same server ' +
    'and user stays.',
)
const mailFrom = text(320).describe('An address such as `Handbill <pages@example.com>`.')

export const changeSettings = operatorContract({
  summary: 'Change the settings of this server.',
  description:
    'They take effect at once, on every node. What is left out stays as it is; null removes it.',
  http: { method: 'PATCH', path: '/operator/settings', status: 200 },
  input: z
    .strictObject({
      smtp_url: smtpUrl.nullable(),
      mail_from: mailFrom.nullable(),
      signup: z.enum(SIGNUP_MODES).nullable(),
      name: line(40).nullable(),
      accent: z.enum(ACCENTS).nullable(),
      people_retention_months: retention.nullable(),
    })
    .partial(),
  data: settings,
  errors: ['bad_setting', 'setting_locked'],
})

export const testMail = operatorContract({
  summary: 'Send a mail, and say what the mail server answered.',
  description: 'Through the settings that apply, or through those given here, before they are set.',
  http: { method: 'POST', path: '/operator/settings/mail/test', status: 200 },
  input: z.strictObject({
    to: email,
    smtp_url: smtpUrl.optional(),
    mail_from: mailFrom.optional(),
  }),
  data: z.object({
    is_taken: z.boolean().describe('Whether the server took the mail.'),
    server: z.string(),
    answer: z.string().describe('Its own words, or what went wrong before it had any.'),
  }),
  errors: ['bad_setting', 'setting_locked', 'no_mail_server'],
})

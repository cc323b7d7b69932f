import { describe, expect, it } from 'bun:test'
import { SMTPServer } from 'smtp-server'
import { chosenTransport } from '../../platform/mail/index.ts'
import { smtpTransport } from '../../platform/mail/smtp.ts'
import { ENGINES, type Engine, HOUR_MS, type TestApp, testApp } from '../../testing/app.ts'
import { createBrowser } from '../../testing/browser.ts'
import { sessionOf } from '../../testing/signed-in.ts'

type Config = Parameters<typeof testApp>[1]

async function withOperator(engine: Engine, config: Config = {}) {
  const app = await testApp(engine, config)
  await app.accounts.addFirst({ email: 'op@example.com', plan: 'team' })
  return { app, operator: await sessionOf(app, 'op@example.com') }
}

/** A mail server that wants a password, and takes mails for one person alone. */
async function mailServer() {
  const taken: string[] = []
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (username === 'u@x' && password === 'p/ss') return done(null, { user: 'u' })
      done(new Error(`No mailbox has this password ${'x'.repeat(3000)}`))
    },
    onData(stream, { envelope }, done) {
      stream.resume()
      stream.on('end', () => {
        taken.push(...envelope.rcptTo.map(({ address }) => address))
        done(null, 'queued as 42' as never)
      })
    },
  })
  smtp.on('error', () => {})
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as { port: number }
  const at = (who: string) => `smtp://${who}127.0.0.1:${port}`
  return { taken, at, close: () => new Promise<void>((resolve) => smtp.close(resolve)) }
}

const stored = async (app: TestApp) => JSON.stringify(await app.rows('settings'))

for (const engine of ENGINES) {
  describe(`settings on ${engine}`, () => {
    it('are of operators alone, who signed in within the hour', async () => {
      const { app, operator } = await withOperator(engine)
      await using _ = app
      const other = await sessionOf(app, (await app.owner()).email)
      for (const [method, path, body] of [
        ['GET', '/operator/settings'],
        ['PATCH', '/operator/settings', { signup: 'open' }],
        ['POST', '/operator/settings/mail/test', { to: 'ann@example.com' }],
        ['GET', '/operator/backup'],
      ] as const) {
        expect(await other.refused(method, path, body)).toEqual([403, 'operator_only'])
        if (path === '/operator/settings' && method === 'GET') continue
        app.advance(2 * HOUR_MS)
        expect(await operator.refused(method, path, body)).toEqual([403, 'sign_in_again'])
        app.advance(-2 * HOUR_MS)
      }
      expect(await app.rows('settings')).toEqual([])
    })

    it('keep the password of the mail server sealed, and tell it nobody', async () => {
      const { app, operator } = await withOperator(engine)
      await using _ = app
      const url = 'smtp://u%40x:p%2Fss@mail.example.com:2525'
      const saved = await operator.ask('PATCH', '/operator/settings', { smtp_url: url })
      expect(saved).toMatchObject({
        smtp_url: 'smtp://u%40x@mail.example.com:2525',
        smtp_has_password: true,
        mail_from: 'Handbill <handbill@handbill.test>',
        locked: {},
      })
      expect(JSON.stringify(saved)).not.toContain('ss@')
      expect(await stored(app)).not.toMatch(/ss@|p%2F|mail\.example/)
      expect(app.platform.settings.current().smtpUrl).toBe(url)
      // Without a password, that of the same server and user stays; of another one, it does not.
      const port = 'smtp://u%40x@mail.example.com:2525'
      await operator.ask('PATCH', '/operator/settings', { smtp_url: port })
      expect(app.platform.settings.current().smtpUrl).toBe(url)
      const elsewhere = 'smtp://u%40x@evil.example.com:2525'
      await operator.ask('PATCH', '/operator/settings', { smtp_url: elsewhere })
      expect(app.platform.settings.current().smtpUrl).toBe(elsewhere)
      await operator.ask('PATCH', '/operator/settings', { smtp_url: null })
      expect(app.platform.settings.current().smtpUrl).toBeNull()
    })

    it('refuse what no setting can have', async () => {
      const { app, operator } = await withOperator(engine)
      await using _ = app
      for (const change of [
        { smtp_url: 'http://127.0.0.1:25' },
        { smtp_url: 'file:///etc/passwd' },
        { smtp_url: 'no address' },
        { mail_from: 'a@b\r\nBcc: c@d' },
        { mail_from: 'nobody' },
        { name: 'A <b>' },
      ]) {
        const refused = await operator.refused('PATCH', '/operator/settings', change)
        expect(refused).toEqual([400, 'bad_setting'])
      }
      const by = await operator.refused('POST', '/operator/settings/mail/test', {
        to: 'ann@example.com',
      })
      expect(by).toEqual([409, 'no_mail_server'])
      expect(await app.rows('settings')).toEqual([])
    })

    it('that the environment has are shown with its variable, and locked', async () => {
      const { app, operator } = await withOperator(engine, {
        smtpUrl: 'smtps://u:secret@mail.example.com',
        mailFrom: 'Pages <pages@example.com>',
        signup: 'invite',
        serverName: 'Example Pages',
        serverAccent: 'teal',
        peopleRetentionMonths: 6,
      })
      await using _ = app
      expect(await operator.ask('GET', '/operator/settings')).toMatchObject({
        smtp_url: 'smtps://u@mail.example.com',
        smtp_has_password: true,
        mail_from: 'Pages <pages@example.com>',
        signup: 'invite',
        name: 'Example Pages',
        accent: 'teal',
        people_retention_months: 6,
        locked: {
          smtp_url: 'SMTP_URL',
          mail_from: 'MAIL_FROM',
          signup: 'SIGNUP',
          name: 'SERVER_NAME',
          accent: 'SERVER_ACCENT',
          people_retention_months: 'PEOPLE_RETENTION_MONTHS',
        },
      })
      for (const change of [
        { smtp_url: 'smtp://other.example.com' },
        { mail_from: 'a@example.com' },
        { signup: 'open' },
        { name: 'Other' },
        { accent: 'red' },
        { people_retention_months: 12 },
      ]) {
        const refused = await operator.refused('PATCH', '/operator/settings', change)
        expect(refused).toEqual([409, 'setting_locked'])
      }
      expect(await app.rows('settings')).toEqual([])
    })

    it('name and colour the server at once: its pages, its mails and their sender', async () => {
      const { app, operator } = await withOperator(engine)
      await using _ = app
      const change = { name: 'Ünits, Ltd', accent: 'teal' }
      const saved = await operator.ask('PATCH', '/operator/settings', change)
      const browser = createBrowser(app)
      const mailFrom = '"Ünits, Ltd" <handbill@handbill.test>'
      expect(saved).toMatchObject({ ...change, mail_from: mailFrom })
      for (const path of ['/', '/nothing', '/app/sign-in', '/p/nothing']) {
        const page = await (await browser.get(path)).text()
        expect(page).toContain('data-accent="teal"')
        expect(page).toContain('>Ünits, Ltd</')
        expect(page).not.toContain('>Handbill</')
      }
      const dashboard = await (await browser.get('/app', { cookie: operator.cookie })).text()
      expect(dashboard).toContain('<title>Pages · Ünits, Ltd</title>')
      expect(dashboard).toMatch(/<html lang="en" data-accent="teal">/)
      const stranger = createBrowser(app)
      await stranger.send(await stranger.get('/app/sign-in'), { email: 'op@example.com' })
      await app.mailbox.delivered()
      const mail = app.mailbox.lastTo('op@example.com')!
      expect(mail.html).toContain('>Ünits, Ltd</p>')
      expect(mail.html).toContain('background:#0b6b6b')
      const own = await (await app.owner()).publish('<p>words', {
        access: 'private',
        accent: 'red',
      })
      expect(await (await browser.get(`/p/${own.slug}`)).text()).toContain('data-accent="red"')
      await operator.ask('PATCH', '/operator/settings', { name: null, accent: null })
      expect(await (await browser.get('/nothing')).text()).toContain('data-accent="blue"')
    })

    it('send mails through another server at once, and say so everywhere', async () => {
      const { app, operator } = await withOperator(engine)
      await using _ = app
      const server = await mailServer()
      const { current } = app.platform.settings
      const transport = await chosenTransport(current, async ({ smtpUrl, mailFrom }) =>
        smtpTransport(smtpUrl ?? server.at(''), mailFrom),
      )
      type Health = { parts: { name: string; state: string }[] }
      const mail = async () =>
        (await operator.ask<Health>('GET', '/operator/health')).parts.find(
          ({ name }) => name === 'mail',
        )
      expect([transport.delivers, (await mail())!.state]).toEqual([false, 'warning'])
      await operator.ask('PATCH', '/operator/settings', { smtp_url: server.at('u%40x:p%2Fss@') })
      expect([transport.delivers, (await mail())!.state]).toEqual([true, 'ok'])
      const words = { subject: 's', text: 't', html: 'h', headers: {} }
      await transport.send({ id: 'mail_1', to: 'ann@example.com', ...words })
      expect(server.taken).toEqual(['ann@example.com'])
      await transport.close()
      await server.close()
    })

    it('test a mail server with its own words, before it is set', async () => {
      const { app, operator } = await withOperator(engine)
      await using _ = app
      const server = await mailServer()
      const tryIt = (who: string) =>
        operator.ask<{ is_taken: boolean; answer: string }>(
          'POST',
          '/operator/settings/mail/test',
          { to: 'ann@example.com', smtp_url: server.at(who), mail_from: 'pages@example.com' },
        )
      expect(await tryIt('u%40x:p%2Fss@')).toMatchObject({ is_taken: true })
      const wrong = await tryIt('u%40x:wrong@')
      expect(wrong.is_taken).toBe(false)
      expect(wrong.answer).toContain('No mailbox has this password')
      expect(wrong.answer.length).toBe(500)
      expect(server.taken).toEqual(['ann@example.com'])
      expect(await app.rows('settings')).toEqual([])
      await server.close()
      expect(await tryIt('')).toMatchObject({ is_taken: false })
    })

    it('let people sign up as soon as they say so', async () => {
      const { app, operator } = await withOperator(engine)
      await using _ = app
      const ask = async (email: string) => {
        const browser = createBrowser(app)
        await browser.send(await browser.get('/app/sign-in'), { email })
        return app.mails.some(({ to, code }) => to === email && code !== undefined)
      }
      expect(await ask('early@example.com')).toBe(false)
      await operator.ask('PATCH', '/operator/settings', { signup: 'open' })
      expect(await ask('late@example.com')).toBe(true)
    })

    it('stream a backup, one at a time', async () => {
      const { app, operator } = await withOperator(engine)
      await using _ = app
      const answer = await operator.send('/operator/backup')
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="?handbill-/)
      expect(await operator.refused('GET', '/operator/backup')).toEqual([409, 'backup_running'])
      const zip = Buffer.from(await answer.bytes())
      expect(zip.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
      expect(zip.includes('op@example.com')).toBe(false)
      const broken = await operator.send('/operator/backup')
      await broken.body!.cancel()
      for (let tries = 0; tries < 100; tries++) {
        const again = await operator.send('/operator/backup')
        if (again.status === 200) return void (await again.bytes())
        await Bun.sleep(20)
      }
      throw new Error('The lease stays after a download that was broken off')
    })
  })
}

it('reach another node at once', async () => {
  const { app, operator } = await withOperator('postgres')
  await using _ = app
  const second = await app.node()
  await operator.ask('PATCH', '/operator/settings', { signup: 'open' })
  for (let tries = 0; second.platform.settings.current().signup !== 'open'; tries++) {
    if (tries > 100) throw new Error('The other node has not heard of the change')
    await Bun.sleep(20)
  }
})

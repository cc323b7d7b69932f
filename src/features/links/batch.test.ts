import { describe, expect, it } from 'bun:test'
import { BASE_URL, ENGINES, testApp } from '../../testing/app.ts'
import type { NewLinks } from './contract.ts'

const MAILING = { smtpUrl: 'smtp://mail.example.com' } as const

for (const engine of ENGINES) {
  describe(`links for several people on ${engine}`, () => {
    it('are mailed in the owner’s words, each to its own address', async () => {
      await using app = await testApp(engine, MAILING)
      const owner = await app.owner()
      const page = await owner.publish('<title>Plan</title><p>x')
      const people = [{ label: 'Ann (Acme)', email: 'Ann@example.com' }, { label: 'Ben' }]
      const path = `/pages/${page.id}/links/batch`
      const message = 'Have a look.'
      const made = await owner.ask<NewLinks>('POST', path, { people, message })
      expect(made).toMatchObject({ mailed: ['ann@example.com'], not_mailed: [] })
      const [ann, ben] = made.links
      expect([ann!.label, ben!.label, ben!.sent_at]).toEqual(['Ann (Acme)', 'Ben', null])
      expect(ann!.sent_at).not.toBeNull()
      expect(app.mails.map(({ to }) => to)).toEqual(['ann@example.com'])
      expect(app.mails[0]!.button!.url).toBe(ann!.url)
      const text = JSON.stringify(app.mails[0])
      expect(text).toContain('Have a look.')
      expect(text).not.toMatch(/Ben|Acme/)
      const list = await owner.ask<NewLinks['links']>('GET', `/pages/${page.id}/links`)
      expect(list.map(({ sent_at: at }) => at !== null)).toEqual([false, true])
    })

    it('say whose newest mail was refused, until it is sent after all', async () => {
      await using app = await testApp(engine, MAILING)
      const owner = await app.owner()
      const page = await owner.publish('<p>x')
      const path = `/pages/${page.id}/links`
      const refused = async () => {
        await app.mailbox.delivered()
        const links = await owner.ask<NewLinks['links']>('GET', path)
        return links.filter(({ bounced_at: at }) => at !== null).map(({ label }) => label)
      }
      /** As the operator does in the list of mails. */
      const sendAgain = () =>
        app.database.write((tx) =>
          tx.updateTable('outbox').set({ not_before: app.clock.now(), attempts: 0 }).execute(),
        )
      app.mailbox.refused.add('ann@example.com')
      await owner.ask('POST', `${path}/batch`, { csv: 'ann@example.com\nmax@example.com' })
      expect(await refused()).toEqual(['ann@example.com'])
      app.mailbox.refused.clear()
      await sendAgain()
      expect(await refused()).toEqual([])
    })

    it('say nothing of an older mail that is given up', async () => {
      await using app = await testApp(engine, MAILING)
      const owner = await app.owner()
      const page = await owner.publish('<p>x')
      const path = `/pages/${page.id}/links`
      await owner.ask('POST', `${path}/batch`, { csv: 'ann@example.com' })
      await app.database.write((tx) =>
        tx.updateTable('page_links').set({ sent_at: app.clock.now() }).execute(),
      )
      app.mailbox.refused.add('ann@example.com')
      await app.mailbox.delivered()
      const [link] = await owner.ask<NewLinks['links']>('GET', path)
      expect(link!.bounced_at).toBeNull()
      expect(await app.rows('outbox')).toMatchObject([{ last_error: '550 no such user' }])
    })

    it('are 1,000 of a page at most, however many are made at once', async () => {
      await using app = await testApp(engine)
      const owner = await app.owner()
      const page = await owner.publish('<p>x')
      const node = engine === 'postgres' ? await app.node() : app
      const stored = (await app.pages.find(page.id))!
      const some = Array.from({ length: 150 }, (_, at) => ({ label: `P ${at}` }))
      const tries = Array.from({ length: 12 }, (_, at) =>
        (at % 2 ? app : node).links.create(stored, some).then(
          () => 'made',
          ({ code }) => code,
        ),
      )
      const results = await Promise.all(tries)
      expect(results.filter((result) => result === 'made')).toHaveLength(6)
      expect(new Set(results)).toEqual(new Set(['made', 'too_many_links']))
      expect(await app.rows('page_links')).toHaveLength(900)
    })

    it('say whose link is not mailed, and why', async () => {
      await using app = await testApp(engine, { ...MAILING, rateLimits: true })
      const owner = await app.owner()
      const settings = { access: 'people', allowed_emails: ['ann@example.com'] }
      const page = await owner.publish('<p>x', settings)
      const send = async (csv: string, id = page.id) => {
        const made = await owner.ask<NewLinks>('POST', `/pages/${id}/links/batch`, { csv })
        return [made.mailed, made.not_mailed.map(({ reason }) => reason)]
      }
      const both = 'name,email\nAnn,ann@example.com\nMax,max@example.com\nann@example.com'
      expect(await send(both)).toEqual([['ann@example.com'], ['not_admitted']])
      await send('ann@example.com')
      await send('ann@example.com')
      expect(await send('ann@example.com')).toEqual([[], ['mailed_before']])
      const draft = await owner.publish('<p>y', { publish: false })
      expect(await send('ann@example.com', draft.id)).toEqual([[], ['not_published']])
      expect(app.mails).toHaveLength(3)
    })
  })
}

describe('links for several people', () => {
  it('are to copy where no mail is sent', async () => {
    await using app = await testApp('sqlite')
    const owner = await app.owner()
    const page = await owner.publish('<p>x')
    const path = `/pages/${page.id}/links/batch`
    const made = await owner.ask<NewLinks>('POST', path, { csv: 'ann@example.com' })
    expect(made.not_mailed).toEqual([{ email: 'ann@example.com', reason: 'no_mail_server' }])
    const invited = await owner.publish('<p>x', { access: 'people', allowed_emails: ['b@b.co'] })
    const shut = `/pages/${invited.id}/links/batch`
    const { not_mailed } = await owner.ask<NewLinks>('POST', shut, { csv: 'ann@example.com' })
    expect(not_mailed).toEqual([{ email: 'ann@example.com', reason: 'not_admitted' }])
    const silent = { csv: 'ann@example.com', mail: false }
    expect((await owner.ask<NewLinks>('POST', path, silent)).not_mailed).toEqual([])
    expect(app.mails).toEqual([])
  })

  it('are made of a body that is the CSV itself', async () => {
    await using app = await testApp('sqlite', MAILING)
    const owner = await app.owner()
    const page = await owner.publish('<p>x')
    const send = async (
      body: string | Uint8Array<ArrayBuffer>,
      query = '',
      type = 'text/csv; charset=utf-8',
    ) => {
      const url = `${BASE_URL}/api/v1/pages/${page.id}/links/batch${query}`
      const headers = { authorization: `Bearer ${owner.key}`, 'content-type': type }
      const answer = await app.fetch(new Request(url, { method: 'POST', headers, body }))
      const { data, error } = (await answer.json()) as { data?: NewLinks; error?: object }
      return { status: answer.status, data, error }
    }
    const csv = '\ufeffname,email\r\nAnn (Acme),Ann@Example.com\r\n'
    const made = await send(csv, '?message=Hello+there')
    expect([made.status, made.data?.mailed]).toEqual([201, ['ann@example.com']])
    expect(made.data!.links.map(({ label }) => label)).toEqual(['Ann (Acme)'])
    expect(JSON.stringify(app.mails[0])).toContain('Hello there')
    expect((await send(csv, '?mail=false')).data?.mailed).toEqual([])
    for (const [answer, param] of [
      [await send(csv, '?csv=Ben'), 'csv'],
      [await send(csv, '?people=[]'), 'people'],
      [await send(csv, '?other=1'), 'other'],
      [await send(new Uint8Array([0x41, 0xe4, 0x0a])), 'csv'],
      [await send('x'.repeat(100_001)), 'csv'],
    ] as const) {
      expect(answer).toMatchObject({ status: 400, error: { param } })
    }
    expect(await send(csv, '', 'text/plain')).toMatchObject({ status: 415 })
  })

  it('are made all or none', async () => {
    await using app = await testApp('sqlite')
    const owner = await app.owner()
    const page = await owner.publish('<p>x')
    const path = `/pages/${page.id}/links/batch`
    const people = [{ label: 'Ann' }]
    for (const [given, param] of [
      [{}, 'people'],
      [{ people, csv: 'Ann' }, 'people'],
      [{ people: [] }, 'people'],
      [{ people: [{}] }, 'people[0]'],
      [{ csv: 'Ann\nmax@' }, null],
      [{ csv: 'Ann\nmax@x' }, 'csv'],
      [{ csv: 'Ann\n'.repeat(201) }, 'csv'],
    ] as const) {
      const { status, body } = await owner.call<{ error?: { param: string } }>('POST', path, given)
      expect([status, body.error?.param ?? null]).toEqual([param === null ? 201 : 400, param])
    }
    expect(await owner.ask<object[]>('GET', `/pages/${page.id}/links`)).toHaveLength(2)
  })
})

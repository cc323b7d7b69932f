import { expect, test } from 'bun:test'
import { dataOf, type Owner, ownerOf } from './client.ts'
import { expectRefusal } from './expect.ts'
import { newOwner, own } from './gates/setup.ts'
import { html } from './material.ts'
import { server } from './server.ts'

const URL_ = 'https://receiver.example/hook'

const errorOf = async (by: Owner, fields: object, status = 400) =>
  expectRefusal(await by.call('POST', '/webhooks', fields), status)

test('a webhook takes a public https address alone', async () => {
  const by = ownerOf(server.keys.team)
  for (const url of [
    ...['https://127.0.0.1/hook', 'https://10.0.0.1/hook', 'https://169.254.169.254/hook'],
    ...['https://[::1]/hook', 'https://[::ffff:10.0.0.1]/', 'https://0x7f000001/hook'],
    ...['https://localhost/hook', 'https://printer.local/hook', 'https://receiver.example:22/'],
    ...['http://receiver.example/', 'https://ann:secret@receiver.example/', 'ftp://a.example/', ''],
  ]) {
    const { code, param, message } = await errorOf(by, { url })
    expect([url, code, param]).toEqual([url, 'invalid_url', 'url'])
    expect(message).toContain('public https address')
  }
  const long = await errorOf(by, { url: `https://a.example/${'x'.repeat(2000)}` })
  expect(long.param).toBe('url')
})

own('an account has ten webhooks, whose secrets are shown once', async () => {
  const by = await newOwner()
  const page = await by.publish({ html: html('x') })
  const made = await by.call('POST', '/webhooks', {
    url: URL_,
    types: ['comment'],
    page_id: page.url,
  })
  const hook = dataOf<{ id: string; secret: string }>(made, 201)
  expect(hook).toMatchObject({ page_id: page.id, format: 'standard', is_on: true })
  expect(hook.secret).toStartWith('whsec_')
  for (const path of ['', `/${hook.id}`, `/${hook.id}/deliveries`]) {
    expect((await by.call('GET', `/webhooks${path}`)).text).not.toContain(hook.secret)
  }
  for (let at = 1; at < 10; at++) dataOf(await by.call('POST', '/webhooks', { url: URL_ }), 201)
  const { code, message } = await errorOf(by, { url: URL_ }, 409)
  expect([code, message]).toEqual(['too_many_webhooks', expect.stringContaining('at most 10')])
  expect((await by.call('DELETE', `/webhooks/${hook.id}`)).status).toBe(204)
  dataOf(await by.call('POST', '/webhooks', { url: URL_ }), 201)
})

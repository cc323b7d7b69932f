import { expect, it } from 'bun:test'
import { dialogue, FROM, MESSAGE, server } from '../../testing/smtp-dialogue.ts'
import { Rejected } from './index.ts'
import { smtpTransport } from './smtp.ts'

it('sends a mail to its address and to nobody else', async () => {
  const seen: { to: string[]; from: string; data: string }[] = []
  const smtp = await server({
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { rcptTo, mailFrom } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        const data = Buffer.concat(chunks).toString()
        seen.push({ to: rcptTo.map(({ address }) => address), from, data })
        done()
      })
    },
  })
  const transport = smtpTransport(smtp.url, FROM)
  await transport.send(MESSAGE)
  await transport.close()
  await smtp.close()
  expect(seen).toMatchObject([{ to: ['ann@example.org'], from: 'handbill@example.com' }])
  const { data } = seen[0]!
  expect(data).toContain('Message-ID: <mail_1@example.com>')
  expect(data).toContain('Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=')
  expect(data).toContain('List-Unsubscribe: <https://x.example/u>')
  expect(data).toContain('multipart/alternative')
})

it('sends a mail to an international address, where the server offers SMTPUTF8', async () => {
  const seen: { to: string[]; isUtf8: boolean }[] = []
  const smtp = await server({
    onData(stream, { envelope }, done) {
      stream.resume()
      stream.on('end', () => {
        const { args } = envelope.mailFrom as { args: object | false }
        const isUtf8 = args !== false && 'SMTPUTF8' in args
        seen.push({ to: envelope.rcptTo.map(({ address }) => address), isUtf8 })
        done()
      })
    },
  })
  const transport = smtpTransport(smtp.url, FROM)
  await transport.send({ ...MESSAGE, to: 'jürgen@xn--mller-kva.example' })
  await transport.close()
  await smtp.close()
  expect(seen).toEqual([{ to: ['jürgen@müller.example'], isUtf8: true }])
})

it('says that a server without SMTPUTF8 takes no international address', async () => {
  const smtp = await scripted({ 'RCPT TO': '553 5.6.7 mailbox name not allowed' })
  const transport = smtpTransport(smtp.url, FROM)
  const to = 'jürgen@xn--mller-kva.example'
  const refusal = await transport.send({ ...MESSAGE, to }).catch((err: Error) => err)
  await transport.close()
  smtp.close()
  expect(refusal).toBeInstanceOf(Rejected)
  expect((refusal as Error).message).toStartWith(
    'The mail server takes no international addresses: ',
  )
})

/** A server that accepts every command, except those the test answers; null: no answer. */
async function scripted(answers: Record<string, string | null>, greeting = '220 hello') {
  const received: string[] = []
  return dialogue((socket) => {
    let isData = false
    let rest = ''
    const reply = (line: string) => {
      received.push(line)
      const answer = Object.entries(answers).find(([start]) => line.toUpperCase().startsWith(start))
      if (answer?.[1] === 'drop') return socket.destroy()
      if (answer !== undefined) return answer[1] === null || socket.write(`${answer[1]}\r\n`)
      if (line.startsWith('EHLO')) return socket.write('250-hello\r\n250 AUTH PLAIN\r\n')
      return socket.write(line === 'DATA' ? '354 go on\r\n' : '250 ok\r\n')
    }
    socket.write(`${greeting}\r\n`)
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (!isData) reply(line)
        else if (line === '.') reply(line)
        if (line === 'DATA' || line === '.') isData = line === 'DATA'
      }
    })
  }).then((server) => ({ ...server, received }))
}

const FINAL: [string, Record<string, string>][] = [
  ['an unknown mailbox', { 'RCPT TO': '550 no such user' }],
  ['an unknown mailbox, with its code', { 'RCPT TO': '550 5.1.1 no such user' }],
  ['the message itself', { '.': '554 no' }],
]
const TEMPORARY: [string, Record<string, string>, string?][] = [
  ['a mailbox that is busy', { 'RCPT TO': '421 later' }],
  ['greylisting', { 'RCPT TO': '450 4.2.0 later' }],
  ['a wrong password', { AUTH: '535 5.7.8 bad credentials' }],
  ['a sender it does not know', { 'MAIL FROM': '550 sender not allowed' }],
  ['relaying', { 'RCPT TO': '554 5.7.1 relay access denied' }],
  ['this service', {}, '554 go away'],
  ['this service for now', {}, '421 busy'],
]

async function outcomeOf(answers: Record<string, string>, greeting?: string): Promise<Error> {
  const smtp = await scripted(answers, greeting)
  const transport = smtpTransport(smtp.url.replace('//', '//u:p@'), FROM)
  const err = await transport.send(MESSAGE).then(
    () => new Error('it was sent'),
    (err: Error) => err,
  )
  await transport.close()
  smtp.close()
  return err
}

for (const [what, answers] of FINAL) {
  it(`does not retry after the refusal of ${what}`, async () => {
    expect(await outcomeOf(answers)).toBeInstanceOf(Rejected)
  })
}
for (const [what, answers, greeting] of TEMPORARY) {
  it(`retries after the refusal of ${what}`, async () => {
    const err = await outcomeOf(answers, greeting)
    expect(err).toBeInstanceOf(Error)
    expect(err).not.toBeInstanceOf(Rejected)
  })
}

for (const at of ['EHLO', 'RCPT TO', 'DATA', '.']) {
  it(`gives up on a server that stops answering at ${at}`, async () => {
    const smtp = await scripted({ [at]: null })
    const transport = smtpTransport(smtp.url, FROM, { totalMs: 200 })
    const began = performance.now()
    const err = await transport.send(MESSAGE).then(
      () => new Error('it was sent'),
      (err: Error) => err,
    )
    expect(err).toBeInstanceOf(Error)
    expect(err).not.toBeInstanceOf(Rejected)
    expect(performance.now() - began).toBeLessThan(5000)
    await transport.close()
    smtp.close()
  })
}

it('aborts what it is sending when it is closed', async () => {
  const smtp = await scripted({ DATA: null })
  const transport = smtpTransport(smtp.url, FROM)
  const sending = transport.send(MESSAGE).catch((err) => err)
  while (!smtp.received.includes('DATA')) await Bun.sleep(5)
  await transport.close()
  expect(await sending).toBeInstanceOf(Error)
  await expect(transport.send(MESSAGE)).rejects.toThrow()
  smtp.close()
})

it('gives up on a server that sends nothing', async () => {
  const silent = await dialogue(() => {})
  const transport = smtpTransport(silent.url, FROM, { silenceMs: 200 })
  const began = performance.now()
  await expect(transport.send(MESSAGE)).rejects.toThrow()
  expect(performance.now() - began).toBeLessThan(5000)
  await transport.close()
  silent.close()
})

for (const at of ['DATA', '.']) {
  it(`rejects, and does not retry by itself, when the connection drops at ${at}`, async () => {
    const smtp = await scripted({ [at]: 'drop' })
    const transport = smtpTransport(smtp.url, FROM)
    const err = await transport.send(MESSAGE).then(
      () => new Error('it was sent'),
      (err: Error) => err,
    )
    expect(err).toBeInstanceOf(Error)
    expect(err).not.toBeInstanceOf(Rejected)
    await Bun.sleep(300)
    expect(smtp.received.filter((line) => line === at)).toHaveLength(1)
    await transport.close()
    smtp.close()
  })
}

it('refuses addresses that mail servers may parse differently', async () => {
  const smtp = await scripted({})
  const transport = smtpTransport(smtp.url, FROM)
  for (const to of [
    '"ann@evil.example x"@internal.example',
    'ann@example.org, eve@evil.example',
    'ann@example.org\r\nRCPT TO:<eve@evil.example>',
    'ann@example.org\u2028eve@evil.example',
    '<eve@evil.example>',
    'Ann <eve@evil.example>',
    'list:eve@evil.example;',
    'ann@example.org (eve@evil.example)',
    'ann@example.org ',
    'ann@еxample.org',
    'ann@@example.org',
    '',
  ]) {
    await expect(transport.send({ ...MESSAGE, to })).rejects.toBeInstanceOf(Rejected)
  }
  expect(smtp.received).toEqual([])
  await transport.close()
  smtp.close()
})

it('lets no value add a header or end the mail', async () => {
  let data = ''
  const smtp = await server({
    onData(stream, _session, done) {
      stream.on('data', (chunk: Buffer) => {
        data += chunk.toString()
      })
      stream.on('end', done)
    },
  })
  const transport = smtpTransport(smtp.url, FROM)
  const text = 'above\r\n.\r\nMAIL FROM:<eve@evil.example>\r\n'
  for (const end of ['\r\n', '\n', '\r', '\r\n\r\n', '\u2028', '\u0085', '\u0000\n']) {
    data = ''
    const nasty = `a${end}Bcc: eve@evil.example`
    const headers = { 'X-Any': nasty, 'List-Unsubscribe': `<https://x.example/${nasty}>` }
    await transport.send({ ...MESSAGE, subject: nasty, headers, text })
    const [head = '', ...body] = data.split('\r\n\r\n')
    expect(head).not.toMatch(/^Bcc/im)
    expect(head).toMatch(/^Content-Type: multipart/m)
    expect(body.join()).toContain('MAIL FROM:<eve@evil.example>')
  }
  await transport.close()
  await smtp.close()
})

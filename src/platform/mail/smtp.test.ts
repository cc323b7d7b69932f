import { expect, it } from 'bun:test'
import { createServer, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { type Message, Rejected } from './index.ts'
import { smtpTransport } from './smtp.ts'

const FROM = 'Handbill <handbill@example.com>'
const MESSAGE: Message = {
  id: 'mail_1',
  to: 'ann@example.org',
  subject: 'Grüße',
  text: 'text',
  html: '<p>html</p>',
  headers: { 'List-Unsubscribe': '<https://x.example/u>' },
}

async function server(options: SMTPServerOptions) {
  const smtp = new SMTPServer({ disabledCommands: ['AUTH', 'STARTTLS'], ...options })
  smtp.on('error', () => {})
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  }
}
async function dialogue(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const listener = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onConnection(socket)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    close() {
      for (const socket of sockets) socket.destroy()
      listener.close()
    },
  }
}

it('hands a mail to the server, to that address and to nobody else', async () => {
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
  expect(data).toContain('Message-ID: <mail_1@127.0.0.1>')
  expect(data).toContain('Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=')
  expect(data).toContain('List-Unsubscribe: <https://x.example/u>')
  expect(data).toContain('multipart/alternative')
})

it('tells a final refusal from one that passes', async () => {
  const smtp = await server({
    onRcptTo({ address }, _session, done) {
      const code = address.startsWith('later') ? 421 : 550
      done(Object.assign(new Error('no'), { responseCode: code }))
    },
  })
  const transport = smtpTransport(smtp.url, FROM)
  await expect(transport.send(MESSAGE)).rejects.toBeInstanceOf(Rejected)
  const later = await transport.send({ ...MESSAGE, to: 'later@example.org' }).catch((err) => err)
  expect(later).toBeInstanceOf(Error)
  expect(later).not.toBeInstanceOf(Rejected)
  await transport.close()
  await smtp.close()
})

it('does not wait for ever for a server that says nothing', async () => {
  const silent = await dialogue(() => {})
  const transport = smtpTransport(silent.url, FROM, 200)
  const began = performance.now()
  await expect(transport.send(MESSAGE)).rejects.toThrow()
  expect(performance.now() - began).toBeLessThan(5000)
  await transport.close()
  silent.close()
})

it('takes a connection that drops within the mail as not sent', async () => {
  const dropping = await dialogue((socket) => {
    socket.write('220 hello\r\n')
    socket.on('data', (chunk) => {
      const line = chunk.toString()
      if (/^EHLO/i.test(line)) socket.write('250 hello\r\n')
      else if (/^DATA/i.test(line)) socket.write('354 go on\r\n', () => socket.destroy())
      else socket.write('250 ok\r\n')
    })
  })
  const transport = smtpTransport(dropping.url, FROM, 1000)
  const err = await transport.send(MESSAGE).catch((err) => err)
  expect(err).toBeInstanceOf(Error)
  expect(err).not.toBeInstanceOf(Rejected)
  await transport.close()
  dropping.close()
})

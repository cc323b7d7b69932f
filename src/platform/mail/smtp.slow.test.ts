import { expect, it } from 'bun:test'
import { dialogue, FROM, MESSAGE, server } from '../../testing/smtp-dialogue.ts'
import { smtpTransport } from './smtp.ts'

it('waits for a server that is silent while it scans the mail', async () => {
  const smtp = await server({
    onData(stream, _session, done) {
      stream.resume()
      stream.on('end', () => setTimeout(() => done(null, 'taken'), 1300))
    },
  })
  const transport = smtpTransport(smtp.url, FROM, { silenceMs: 1000 })
  expect(await transport.send(MESSAGE)).toContain('taken')
  await transport.close()
  await smtp.close()
})

it('gives up on a server that answers byte by byte, and frees the connection', async () => {
  const slow = await dialogue((socket) => {
    socket.write('220 hello\r\n')
    const timer = setInterval(() => socket.write('250-more\r\n'), 50)
    socket.on('close', () => clearInterval(timer))
  })
  const transport = smtpTransport(slow.url, FROM, { silenceMs: 1000, totalMs: 300 })
  for (let i = 0; i < 6; i++) await expect(transport.send(MESSAGE)).rejects.toThrow('aborted')
  await transport.close()
  slow.close()
})

import { createServer, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Message } from '../platform/mail/index.ts'

export const FROM = 'Handbill <handbill@example.com>'
export const MESSAGE: Message = {
  id: 'mail_1',
  to: 'ann@example.org',
  subject: 'Grüße',
  text: 'text',
  html: '<p>html</p>',
  headers: { 'List-Unsubscribe': '<https://x.example/u>' },
}

export async function server(options: SMTPServerOptions) {
  const smtp = new SMTPServer({ disabledCommands: ['AUTH', 'STARTTLS'], ...options })
  smtp.on('error', () => {})
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  }
}
export async function dialogue(onConnection: (socket: Socket) => void) {
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

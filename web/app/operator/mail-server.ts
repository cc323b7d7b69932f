/** The parts of the address of a mail server, as people know them. */
export type MailServer = ReturnType<typeof readMailServer>

export function readMailServer(address: string | null) {
  const url = address === null ? null : URL.parse(address)
  if (url === null) return { protocol: 'smtp', host: '', port: '587', user: '', password: '' }
  const { protocol, hostname, port, username } = url
  const user = decodeURIComponent(username)
  return { protocol: protocol.slice(0, -1), host: hostname, port, user, password: '' }
}

export function writeMailServer({ protocol, host, port, user, password }: MailServer): string {
  const secret = password === '' ? '' : `:${encodeURIComponent(password)}`
  const who = user === '' ? '' : `${encodeURIComponent(user.trim())}${secret}@`
  return `${protocol}://${who}${host.trim()}${port.trim() && `:${port.trim()}`}`
}

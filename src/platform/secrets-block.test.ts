import { expect, test } from 'bun:test'
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { createSecrets } from './secrets.ts'

const master = new Uint8Array(32).fill(7)
const secrets = createSecrets(master)
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

test('a block that is encrypted is found again, and is encrypted the same each time', () => {
  for (const block of [new Uint8Array(16), new Uint8Array(16).fill(255), randomBytes(16)]) {
    const encrypted = secrets.encryptBlock('test', block)
    expect(encrypted).toHaveLength(16)
    expect(hex(encrypted)).not.toBe(hex(block))
    expect(hex(secrets.encryptBlock('test', block))).toBe(hex(encrypted))
    expect(hex(secrets.decryptBlock('test', encrypted))).toBe(hex(block))
  }
})

test('it is AES-256 by a key that the master key and the purpose give', () => {
  const key = Buffer.from(hkdfSync('sha256', master, 'handbill', 'test', 32))
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false)
  const block = new Uint8Array(16).fill(1)
  expect(hex(secrets.encryptBlock('test', block))).toBe(hex(cipher.update(block)))
})

test('another purpose, another master key and one other bit give another block', () => {
  const block = new Uint8Array(16)
  const other = Uint8Array.from(block, (byte, i) => (i === 15 ? byte ^ 1 : byte))
  const encrypted = [
    secrets.encryptBlock('test', block),
    secrets.encryptBlock('another', block),
    createSecrets(new Uint8Array(32).fill(8)).encryptBlock('test', block),
    secrets.encryptBlock('test', other),
  ].map(hex)
  expect(new Set(encrypted).size).toBe(encrypted.length)
})

test.each([0, 15, 17, 32])('%d bytes are not one block', (length) => {
  const bytes = new Uint8Array(length)
  expect(() => secrets.encryptBlock('test', bytes)).toThrow()
  expect(() => secrets.decryptBlock('test', bytes)).toThrow()
})

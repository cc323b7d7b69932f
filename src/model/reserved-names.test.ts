import { expect, test } from 'bun:test'
import { processorMs } from '../testing/processor-time.ts'
import { isReservedName, looksLike, looksLikeAddress } from './reserved-names.ts'

test.each([
  ...['owner', 'The owner', 'THE OWNER', 'Owner!', 'owner 1', '0wner', 'o w n e r', 'o.w.n.e.r'],
  ...[
    'Оwnеr',
    'ΟWΝΕR',
    'оѡпег',
    'Öwnér',
    'ow\u200bner',
    'owner\u2800',
    '\u202eowner',
    'ｏｗｎｅｒ',
    '𝐨𝐰𝐧𝐞𝐫',
  ],
  ...['ᴏᴡɴᴇʀ', 'ⓞⓦⓝⓔⓡ', '🅾🆆🅽🅴🆁', '🇴🇼🇳🇪🇷', 'ovvner', 'Page owner', 'theowner', 'Ann, owner'],
  ...['The owner of this page', 'admin', 'ADMIN', 'adrnin', 'adm1n', '@dmin', 'аdmіn', 'Admins'],
  ...[
    'Administrator',
    'Handbill',
    'Hаndbill',
    'Hand bill',
    'handbiII',
    'HANDBI1L',
    'Handbill Support',
  ],
  ...['Support', 'Customer support', '$upport', 'The support team', 'Security', 'Security team'],
  ...['The author', 'System', 'Official', 'no-reply', 'Help desk', 'Moderator'],
])('the name “%s” is reserved', (name) => {
  expect(isReservedName(name)).toBe(true)
})

test.each([
  ...['Ann', 'Ann Downer', 'Badminton Bob', 'Bo', 'Anna, Security', 'Teamwork', 'Jörg Müller'],
  ...[
    'Оля',
    'Νίκος',
    '田中',
    'محمد',
    'Amber Heron',
    'Minad',
    'Page',
    'The',
    '',
    '42',
    '👋',
    'R. Min',
  ],
  ...['Handy Bill', 'Paul Author', 'Systematic Sam'],
])('the name “%s” is free', (name) => {
  expect(isReservedName(name)).toBe(false)
})

test('names look alike whatever their case, script, spaces, marks and hidden characters', () => {
  for (const name of [
    'Ann Lee',
    'ann lee',
    'ANN LEE',
    'Аnn Lee',
    'AnnLee',
    'Ann  Lee.',
    'Änn Lée',
  ]) {
    expect([name, looksLike(name, 'Ann Lee')]).toEqual([name, true])
  }
  for (const name of ['Ann\u200b Lee', 'Ann I.ee', 'A n n L e e', 'Ann Lee 2', 'ＡＮＮ ＬＥＥ']) {
    expect([name, looksLike(name, 'Ann Lee')]).toEqual([name, true])
  }
  for (const name of ['Ann', 'Lee', 'Ann Lea', 'Anna Lee', '', '…']) {
    expect([name, looksLike(name, 'Ann Lee')]).toEqual([name, false])
  }
  expect(looksLike('…', '!')).toBe(false)
  expect(looksLike('田中', '田中')).toBe(true)
})

test('a name that holds an address is told from others', () => {
  for (const name of [
    'ann@example.com',
    'Ann <ann@example.com>',
    'ann＠example．com',
    'a@b\u200b.c',
  ]) {
    expect([name, looksLikeAddress(name)]).toEqual([name, true])
  }
  for (const name of ['Ann', '@ann', 'Ann @ work', 'Dr.Smith', 'J. R.']) {
    expect([name, looksLikeAddress(name)]).toEqual([name, false])
  }
})

test('a long name takes no time', () => {
  for (const part of ['a', 'the', 'owner', 'an ', 'mrs', 'supports', 'rn']) {
    expect(processorMs(() => isReservedName(`${part.repeat(400)}x`))).toBeLessThan(500)
  }
})

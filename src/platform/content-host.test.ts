import { describe, expect, test } from 'bun:test'
import { ConfigError, readConfig } from './config.ts'

describe('CONTENT_URL is refused on the domain of BASE_URL', () => {
  test.each([
    ['https://{page}.pages.example.com', 'https://example.com'],
    ['https://{page}.example.com', 'https://app.example.com'],
    ['https://{page}.content.example.co.uk', 'https://app.example.co.uk'],
    ['https://{page}.pages.intranet.corp', 'https://handbill.intranet.corp'],
    ['http://{page}.CONTENT.test:8080', 'http://app.content.test:9090'],
  ])('%s beside %s', (contentUrl, baseUrl) => {
    expect(() => readConfig({ CONTENT_URL: contentUrl, BASE_URL: baseUrl })).toThrow(ConfigError)
  })
})

describe('CONTENT_URL is accepted on another domain than that of BASE_URL', () => {
  test.each([
    ['https://{page}.example-content.net', 'https://example.com'],
    ['https://{page}.two.co.uk', 'https://one.co.uk'],
    // Subdomains of a public suffix belong to different people.
    ['https://{page}.two.github.io', 'https://one.github.io'],
    ['http://{page}.localhost:8787', 'http://localhost:8787'],
    ['http://{page}.content.test:8080', 'http://127.0.0.1:8080'],
    ['https://{page}.content.test', 'https://handbill'],
  ])('%s beside %s', (contentUrl, baseUrl) => {
    expect(() => readConfig({ CONTENT_URL: contentUrl, BASE_URL: baseUrl })).not.toThrow()
  })
})

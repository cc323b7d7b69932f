import { describe, expect, test } from 'bun:test'
import { scanHtml, scanScript } from './scan.ts'

const scan = (html: string) => scanHtml(Buffer.from(html))

describe('the title', () => {
  test.each<[string, string | null]>([
    ['<!doctype html><title>Plan</title>', 'Plan'],
    ['<title>\n  A &amp; B&#8217;s   plan\t</title>', 'A & B’s plan'],
    ['<title>One</title><title>Two</title>', 'One'],
    ['<TITLE>Loud</TITLE>', 'Loud'],
    ['<svg><title>Icon</title></svg><title>Page</title>', 'Page'],
    ['<svg><title>Icon</title></svg>', null],
    ['<template><title>Part</title></template><title>Page</title>', 'Page'],
    ['<!-- <title>Old</title> --><title>New</title>', 'New'],
    ['<script>"<title>Code</title>"</script><title>Page</title>', 'Page'],
    ['<textarea><title>Typed</title></textarea>', null],
    ['<title></title><title>Second</title>', null],
    ['<title> \n </title>', null],
    ['<title>a <b>bold</b> plan</title>', 'a <b>bold</b> plan'],
    [
      '<title>Résumé &ndash; &Eacute;t&eacute; &copy &notanentity;</title>',
      'Résumé – Été © ¬anentity;',
    ],
    ['<title>Never closed', 'Never closed'],
    ['no title', null],
    ['', null],
  ])('of %s', (html, title) => {
    expect(scan(html).title).toBe(title)
  })

  test('is cut at 1,000 characters and never inside one', () => {
    const { title } = scan(`<title>${'😀'.repeat(5000)}</title>`)
    expect(title).toHaveLength(1000)
    expect(scan(`<title>x${'😀'.repeat(5000)}</title>`).title?.isWellFormed()).toBe(true)
  })
})

describe('the start of the head', () => {
  // `|` marks it.
  test.each([
    '<!doctype html><html lang=en><head>|<meta charset=utf-8></head>',
    '<!doctype html><html><head prefix="a>b">|<title>x</title>',
    '<!DOCTYPE html>\n<!-- by hand -->\n<html>\n<head data-x>|\n<title>',
    '<!doctype html><html>|<body>',
    '<!doctype html>|<title>x</title>',
    '<!doctype html><!-- c -->|<p>x',
    '<!doctype html>|text <head><html>',
    '<!doctype html><html><!-- <head> -->|<body><head>',
    '<!doctype html><html>|</head><head>',
    '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><html><head>|',
    '<html><html class=b><head>|',
    '<head>|<head>',
    '|<header>',
    '|plain text',
    '|<p>no doctype',
    '|<script>"<head>"</script><head>',
    '|',
    '<!doctype html>|<!-- never closed <html><head>',
    '\ufeff|<p>x',
    '\ufeff<!doctype html>|<p>x',
    ' \n <!doctype html><html>|\n<body>',
  ])('of %s', (marked) => {
    const [before] = marked.split('|')
    expect(scan(marked.replace('|', '')).head_offset).toBe(Buffer.byteLength(before!))
  })
})

describe('preview tags', () => {
  test('are found in any order, with any quotes and case', () => {
    const html = `é<meta property="og:title" content="a>b"><META NAME='twitter:title' content=x>
<meta content="d" property=" og:description "><meta name=twitter:description content=e/>
<meta property="og:image" content="i"><meta name=description content=d>
<!-- <meta property="og:title"> --><template><meta property="og:title"></template>`
    const bytes = Buffer.from(html)
    const results = scanHtml(bytes).preview_spans
    expect(
      results.map(({ name, start, end }) => [name, bytes.toString('utf8', start, end)]),
    ).toEqual([
      ['title', '<meta property="og:title" content="a>b">'],
      ['title', "<META NAME='twitter:title' content=x>"],
      ['description', '<meta content="d" property=" og:description ">'],
      ['description', '<meta name=twitter:description content=e/>'],
      ['image', '<meta property="og:image" content="i">'],
    ])
  })

  test('are found up to the fiftieth', () => {
    expect(scan('<meta property=og:title>'.repeat(1000)).preview_spans).toHaveLength(50)
  })
})

describe('collecting responses', () => {
  test.each([
    '<form data-service>',
    '<FORM class=x DATA-SERVICE="">',
    '<template><form data-service></form></template>',
    '<script>Service.submit({a: 1})</script>',
    '<script type=module>await window.Service.submit({})</script>',
    '<script>globalThis . Service\n  .submit ( {} )</script>',
    '<script>window?.Service?.submit?.({})</script>',
    '<script>Service["submit"]({})</script>',
    '<script>if(a<b){Service.submit(x)}</script>',
    '<script><!--\nService.submit(1)\n//--></script>',
    '<button onclick="Service.submit({})">',
    '<button onclick="Service.submit&#40;{})">',
    '<a href="javascript:Service.submit({})">',
    '<a href=" java&Tab;script:x"></a><a href="&#106;avascript:Service.submit({})">',
    '<svg><script>a &lt; b; Service.sub<!-- -->mit(1)</script></svg>',
    '<script type="text/babel">Service.submit(1)</script>',
    '<script>root.innerHTML = "<form data-service>"</script>',
    `<script>h('form', { 'data-service': '' })</script>`,
    '<button onclick="form.setAttribute(&quot;data-service&quot;, &quot;&quot;)">',
    '<template><div><FORM data-service></div></template>',
    '<iframe srcdoc="<form data-service>"></iframe>',
    `<iframe srcdoc='&lt;form data&#45;service=""&gt;'></iframe>`,
    '<iframe srcdoc="<script>Service.submit(1)</script>"></iframe>',
  ])('is seen in %s', (html) => {
    expect(scan(html).collects_responses).toBe(true)
  })

  test.each([
    '<form>',
    '<div data-service>',
    '<form data-services>',
    '<!-- <form data-service> -->',
    '<!-- <script>Service.submit()</script> -->',
    '<p>Call Service.submit(data) to send.</p>',
    '<pre>&lt;form data-service&gt;</pre>',
    '<textarea><form data-service></textarea>',
    '<title>Service.submit()</title>',
    '<script>MyService.submit({})</script>',
    '<script>api.Service.submit({})</script>',
    '<script>$Service.submit(1); éService.submit(2)</script>',
    '<script>Service.submitted(1); Service.submit</script>',
    '<script type="application/json">{"a": "Service.submit()"}</script>',
    '<script type=importmap>Service.submit()</script>',
    '<script src=a.js></script>Service.submit()',
    '<a title="Service.submit()" href="/Service.submit()">',
    '<style>Service.submit()</style>',
    '<svg><style>Service.submit()</style></svg>',
    '<script>form.dataset.services = "data-services my-data-service data-service-id"</script>',
    '<script type="application/json">"<form data-service>"</script>',
    '<style>form[data-service] { color: red }</style>',
    '<p>Write data-service into the form.</p>',
    '<iframe srcdoc="<form data-services>" title="<form data-service>"></iframe>',
    '<iframe><form data-service></iframe>',
  ])('is not seen in %s', (html) => {
    expect(scan(html).collects_responses).toBe(false)
  })
})

describe('a policy that may keep scripts from sending', () => {
  const policy = (content: string) =>
    `<meta http-equiv="Content-Security-Policy" content="${content}">`
  const limits = (html: string) => scan(html).limits_connections

  test.each([
    policy("default-src 'self'"),
    policy('img-src *; Connect-Src https://api.example.com'),
    policy("default-src *; connect-src 'none'"),
    policy('default-src *') + policy("script-src 'self';\n\tdefault-src 'none'"),
  ])('is seen in %s', (html) => {
    expect(limits(html)).toBe(true)
  })

  test.each([
    policy("script-src 'none'; form-action 'none'; sandbox; img-src 'self'"),
    policy("default-src 'none'; connect-src *"),
    policy(''),
    '<meta name="Content-Security-Policy" content="default-src \'none\'">',
    "<p>default-src 'none'</p>",
  ])('is not seen in %s', (html) => {
    expect(limits(html)).toBe(false)
  })
})

describe('using storage', () => {
  test.each([
    '<script>localStorage.x = 1</script>',
    '<script>const { sessionStorage: s } = window</script>',
    `<script>window['localStorage']</script>`,
    '<script>document.cookie = "a=1"</script>',
    '<script>document\n.cookie</script>',
    '<script>document["cookie"]</script>',
    '<script>document?.cookie</script>',
    '<script>const d = document; d.cookie</script>',
    "<script>var doc = window.document\ndoc['cookie'] = 'a=1'</script>",
    '<script>(e=>{let t=e.document;return t[`cookie`]})(window)</script>',
    '<script>const { title, cookie: c } = document</script>',
    '<script>Reflect.get(document, "cookie")</script>',
    '<script type=module>indexedDB.open("x")</script>',
    '<body onload="localStorage.clear()">',
  ])('is seen in %s', (html) => {
    expect(scan(html).uses_storage).toBe(true)
  })

  test.each([
    '<p>We use localStorage and document.cookie.</p>',
    '<!-- <script>localStorage</script> -->',
    '<script>cookie = document.title</script>',
    '<script>document.title = recipe.cookies + jar.cookieCount + "cookie"</script>',
    '<script>const cookie = { flour: 2 }; document.body.append(cookie)</script>',
    '<script>request.headers.cookie</script>',
    '<script type="application/ld+json">"localStorage"</script>',
  ])('is not seen in %s', (html) => {
    expect(scan(html).uses_storage).toBe(false)
  })

  test('is found in a script file as well', () => {
    expect(scanScript(Buffer.from('export const x = localStorage'))).toMatchObject({
      collects_responses: false,
      uses_storage: true,
      mends: [],
    })
    expect(scanScript(Buffer.from('Service.submit({})'))).toMatchObject({
      collects_responses: true,
      uses_storage: false,
      mends: [],
    })
  })
})

describe('what is mended in the sandbox', () => {
  test.each([
    ['<script>new Worker("w.js")</script>', 'workers'],
    ['<script>new self.Worker(url)</script>', 'workers'],
    ['<button onclick="new Worker(url)">', 'workers'],
    ['<svg><use href="icons.svg#sun"></use></svg>', 'sprites'],
    ['<svg><use xlink:href="icons.svg#sun"/></svg>', 'sprites'],
    ['<script>h("use", { href: "icons.svg#sun" }); new Worker(url)</script>', 'workers sprites'],
    ['<script>pen.getImageData(0, 0, 9, 9)</script>', 'images'],
    ['<script>gl.texImage2D(a, b); canvas["toDataURL"]()</script>', 'images'],
    ['<a href="a.csv" download>a</a>', 'downloads'],
    ['<map><area href="a.csv" download="b.csv"></map>', 'downloads'],
    ['<script>link.download = name</script>', 'downloads'],
    [
      '<script>h("a", { download: "a.csv" }); link.setAttribute("download", "")</script>',
      'downloads',
    ],
    ['<script>p.innerHTML = "<a href=a.csv download>a</a>"</script>', 'downloads'],
    ['<script>startDownload(); // download it later</script>', ''],
    ['<script>canvas.getContext("2d").drawImage(image, 0, 0)</script>', ''],
    ['<p download>toBlob</p>', ''],
    ['<svg><use href="#sun"></use></svg>', ''],
    ['<script>new WorkerPool(4); new SharedWorker(url)</script>', ''],
    ['<p>new Worker("w.js"), icons.svg#sun', ''],
  ])('is found in %s: %s', (html, mends) => {
    expect(scan(html).mends.join(' ')).toBe(mends)
  })
})

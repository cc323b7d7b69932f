export default {
  title: 'Hill paths',
  description: 'Walks in the hills',
  head: [['link', { rel: 'icon', type: 'image/png', href: '/hill.png' }]],
  themeConfig: {
    nav: [{ text: 'Guide', link: '/guide/start' }],
    sidebar: [
      {
        text: 'Guide',
        items: [
          { text: 'Start', link: '/guide/start' },
          { text: 'Weather', link: '/guide/weather' },
        ],
      },
    ],
  },
}

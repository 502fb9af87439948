import type { Locale } from '../choose-locale.js';
import { html, Html } from './html.js';
import { WORDS } from './page-words.js';

/** What a page is about and how its reader came to it. */
export interface PageView {
  locale: Locale;
  /** Whether the address names the language; links then name it too, so that it stays. */
  sticky: boolean;
}

/** The style of every page; its hash stands in the content security policy. */
export const STYLE = `
:root{color-scheme:light dark;--line:#8884;--soft:#8882;--accent:light-dark(#0b57d0,#8ab4f8)}
body{font:16px/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;max-width:62rem;margin:0 auto;padding:1rem 1.25rem 4rem}
header{display:flex;gap:1.5rem;align-items:baseline;border-bottom:1px solid var(--line);padding-bottom:.6rem;margin-bottom:1.5rem}
header a:last-child{margin-left:auto}
a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
h1{font-size:1.6rem;line-height:1.3;margin:.2rem 0}h2{font-size:1.2rem;margin:2rem 0 .5rem}h3{font-size:1rem;margin:1.4rem 0 .3rem}
code,pre,.id{font-family:ui-monospace,monospace;font-size:.86em}
.id{opacity:.7}
pre{overflow:auto;padding:.6rem .8rem;margin:.4rem 0;background:var(--soft);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere}
ul.rows{list-style:none;padding:0;margin:.3rem 0}
ul.rows li{display:flex;gap:.2rem 1rem;justify-content:space-between;flex-wrap:wrap;padding:.3rem 0;border-top:1px solid var(--line)}
form{display:flex;gap:.5rem;position:sticky;top:0;padding:.6rem 0;background:Canvas}
input{font:inherit;flex:1;min-width:0;padding:.45rem .7rem;border:1px solid var(--line);border-radius:6px;background:transparent;color:inherit}
button{font:inherit;padding:.45rem 1rem;border:1px solid var(--line);border-radius:6px;background:var(--soft);color:inherit;cursor:pointer}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.2rem;margin:1rem 0}dt{opacity:.7}dd{margin:0}
article{border:1px solid var(--line);border-radius:8px;padding:.2rem 1rem .6rem;margin:1rem 0}
article:target{border-color:var(--accent)}
.outcome{border-left:3px solid var(--line);padding:.1rem 0 .1rem .9rem;margin:.7rem 0}.outcome p{margin:.15rem 0}
.badge{display:inline-block;font-size:.78rem;padding:0 .5rem;border-radius:1rem;border:1px solid var(--line);white-space:nowrap}
.critical{background:#d32f2f;color:#fff;border-color:#d32f2f}.error{background:#f573;border-color:#f57a}.warning{background:#fb03;border-color:#fb0a}
[hidden]{display:none!important}`;

/** The only script: filters the rows of a page while its reader types. */
export const SCRIPT = `
const box=document.querySelector('input[name=search]');
const rows=[...document.querySelectorAll('[data-words]')].map(row=>[row,(row.textContent+' '+row.dataset.words).toLowerCase()]);
box?.addEventListener('input',()=>{
  const words=box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for(const [row,text] of rows)row.hidden=!words.every(word=>text.includes(word));
  for(const part of [...document.querySelectorAll('section')].reverse())part.hidden=!part.querySelector('[data-words]:not([hidden])');
  document.querySelector('#nothing').hidden=rows.some(([row])=>!row.hidden);
});`;

// Not in a tagged template: formatting those would change what the hashes are of.
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
const SCRIPT_ELEMENT = new Html(`<script>${SCRIPT}</script>`);

/** The address of a page of ours, in the language of the reader where that was chosen. */
export function addressOf(path: string, { locale, sticky }: PageView): string {
  return sticky ? `${path}?locale=${locale}` : path;
}

/** Puts the frame of every page around its content. */
export function framePage(title: string, path: string, view: PageView, content: Html): string {
  const words = WORDS[view.locale];
  const other = view.locale === 'en' ? 'zh' : 'en';
  return html`<!doctype html>
    <html lang="${words.lang}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>${title} · Casebook</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <header>
          <strong>Casebook</strong><a href="${addressOf('/problems', view)}">${words.catalogue}</a
          ><a href="${path}?locale=${other}" lang="${WORDS[other].lang}">${words.other}</a>
        </header>
        ${content} ${SCRIPT_ELEMENT}
      </body>
    </html> `.text;
}

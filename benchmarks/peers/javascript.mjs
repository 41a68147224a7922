// posable's solver as WebAssembly: node javascript.mjs SCRIPT asked.json answers.json
import { readFileSync, writeFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';

const [script, asked, answers] = process.argv.slice(2);
const posable = runInThisContext(`${readFileSync(script, 'utf8')};posable`);
const answered = runInThisContext(`${readFileSync(new URL('javascript.js', import.meta.url), 'utf8')};answered`);
const problem = JSON.parse(readFileSync(asked, 'utf8'));
const found = await answered(posable, problem, () => Number(process.hrtime.bigint()) / 1e6, 1);
writeFileSync(answers, JSON.stringify({ ...found, versions: `node ${process.versions.node}` }));

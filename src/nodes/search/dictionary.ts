/**
 * Translations into the English words of our phrases, from German, Spanish, French, Portuguese, Italian, Vietnamese,
 * Chinese, Japanese and Russian. `_` joins several words, `=` overrides the English of the line, and lines without English
 * are filler words.
 */
export const dictionary = `
when: wenn sobald cuando quand lorsque lorsqu quando khi 当 когда たら
every: jeden jede jedes jeder alle cada todos_los todas_las tous_les toutes_les chaque todo_o_dia ogni moi_ngay=every_day hang_ngay=every_day moi moi_gio=every_hour hang_gio=every_hour 每 каждый каждую каждые 毎
every day: taglich diariamente todos_los_dias todos_os_dias tous_les_jours quotidien ogni_giorno 每天 每日 毎日 ежедневно каждый_день
every hour: stundlich cada_hora toutes_les_heures ogni_ora 每小时 毎時 каждый_час
every week: wochentlich cada_semana semanalmente toutes_les_semaines hang_tuan 每周 毎週
every month: monatlich cada_mes mensualmente mensalmente chaque_mois hang_thang 每月 毎月
morning: morgen manana matin manha mattina buoi_sang sang 早上 早晨 朝 утро утром
evening: abend tarde noite soir sera buoi_toi 晚上
hour: stunde stunden uhr hora horas heure heures ora ore gio 小时 点
minute: minuten minuto minutos phut 分钟
day: tag tage dia dias jour jours giorno ngay
schedule: zeitplan zeitgesteuert geplant planen programar programado agendar agenda_execucao planifier planifie lich_trinh len_lich 定时 定期 计划 スケジュール 定期的 расписание расписанию programma
start: starten beginnen iniciar demarrer lancer avviare bat_dau khoi_dong 启动 开始 触发 запустить запуск
run: ausfuhren ausgefuhrt laufen ejecutar ejecuta executar executer eseguire chay thuc_hien 运行 执行 実行 выполнить
send: senden sende schicken schicke verschicken versenden enviar envia mandar envoyer inviare gui 发送 发 送信 送る отправить отправка послать
receive: empfangen erhalten recibir receber recevoir ricevere nhan 接收 收到 受信 получить
arrives: ankommt eintrifft eingeht kommt llega llegue arrive chega arriva den 到达 届いた приходит
message: nachricht nachrichten mensaje mensajes mensagem mensagens messaggio tin_nhan 消息 信息 メッセージ сообщение сообщения
email: e_mail e_mails mails correo correos correo_electronico courriel e_mail_s posta thu_dien_tu 电子邮件 邮件 メール письмо письма почту почта
channel: kanal canal canale kenh 频道 チャンネル канал
chat: unterhaltung conversacion conversa tro_chuyen 聊天 チャット чат
table: tabelle tabla tableau tabela tabella bang 表 表格 テーブル таблица таблицу
spreadsheet: tabellenkalkulation kalkulationstabelle hoja_de_calculo hojas_de_calculo planilha feuille_de_calcul foglio_di_calcolo foglio_di_lavoro bang_tinh 电子表格 スプレッドシート
row: zeile zeilen fila filas ligne lignes linha linhas riga righe dong hang 行
column: spalte spalten columna colonne coluna cot 列
write: schreiben schreibe escribir ecrire escrever scrivere ghi viet 写入 写 書き込む записать
read: lesen lese auslesen einlesen leer lire ler leggere doc 读取 读 読む 読み込む прочитать
save: speichern speichere ablegen guardar almacenar sauvegarder enregistrer stocker salvar salvare luu 保存 存储 сохранить
file: datei dateien archivo archivos fichero fichier fichiers arquivo arquivos tep tap_tin 文件 ファイル файл файлы
upload: hochladen lade_hoch subir telecharger_vers televerser carregar caricare tai_len 上传 アップロード загрузить
download: herunterladen descargar telecharger baixar scaricare tai_xuong tai_ve 下载 ダウンロード скачать
folder: ordner verzeichnis carpeta dossier pasta cartella thu_muc 文件夹 フォルダ папка
data: daten datos donnees dados dati du_lieu 数据 データ данные
database: datenbank base_de_datos base_de_donnees banco_de_dados co_so_du_lieu 数据库 データベース база_данных
query: abfrage abfragen consulta consultar requete interroger truy_van 查询 クエリ запрос
add: hinzufugen anfugen anadir agregar ajouter adicionar aggiungere them 添加 增加 追加 добавить
create: erstellen anlegen erzeugen crear creer criar creare tao 创建 作成 создать
update: aktualisieren andern actualizar mettre_a_jour atualizar aggiornare cap_nhat 更新 обновить
delete: loschen eliminar borrar supprimer excluir apagar xoa 删除 削除 удалить
remove: entfernen quitar enlever retirer remover rimuovere loai_bo 去除 移除
duplicate: doppelte doppelt duplikate duplicados duplicado doublons doublon duplicati trung_lap 重复 重複 дубликаты
merge: zusammenfuhren zusammenfugen verbinden kombinieren vereinen combinar unir fusionar fusionner combiner mesclar juntar unire gop ket_hop 合并 結合 объединить
two: zwei dos deux dois due hai 两个
list: liste listen lista listas danh_sach 列表 リスト список
item: element elemente eintrag eintrage elemento elementos elements articles elementi muc phan_tu 项目 条目 アイテム
entries: eintrage entradas entrees
filter: filtern filtrar filtrer filtrare loc 过滤 筛选 フィルタ фильтр отфильтровать
sort: sortieren ordenar trier ordinare sap_xep 排序 並べ替え сортировать
split: aufteilen teilen dividir diviser separar chia tach 拆分 分割 разделить
loop: schleife wiederholen durchlaufen bucle recorrer boucle boucler repetir lap vong_lap lap_qua 循环 遍历 ループ цикл
each: von_jedem cada_uno chacun tung 每个
condition: bedingung condicion condicao condizione dieu_kien 条件 условие
wait: warten warte esperar espera attendre attends aguardar aspettare attendere cho_doi doi 等待 待つ 待機 подождать ждать
pause: pausieren pausa tam_dung 暂停
approval: freigabe genehmigung zustimmung aprobacion approbation validation_humaine aprovacao approvazione phe_duyet chap_thuan 批准 审批 承認 одобрение
call: aufrufen rufe_auf llamar appeler chamar chiamare goi 调用 呼び出す вызвать
api: schnittstelle interfaz interface_de_programmation 接口
web page: webseite pagina_web page_web trang_web 网页 ウェブページ
form: formular formulario formulaire formulario modulo bieu_mau 表单 フォーム форма форму
submitted: abgeschickt ausgefullt enviado rellena soumis preenchido 提交 送信された
error: fehler fehlschlagt error_es erreur erro errore loi 错误 エラー ошибка ошибке
fails: fehlschlagt scheitert falla echoue falha fallisce that_bai 失败 失敗
translate: ubersetzen ubersetze traducir traduire traduzir tradurre dich 翻译 翻訳 перевести
text: texto texte testo van_ban 文本 テキスト текст
image: bild bilder foto imagen imagenes image_s imagem immagine hinh_anh anh 图片 图像 画像 изображение картинку
resize: verkleinern vergrossern redimensionar redimensionner thay_doi_kich_thuoc 调整大小 缩放 リサイズ
summarize: zusammenfassen resumir resumer resumo riassumere tom_tat 总结 摘要 要約 резюмировать
calendar: kalender calendario calendrier agenda lich 日历 カレンダー календарь
event: termin veranstaltung evento evenement su_kien 事件 イベント событие
meeting: besprechung sitzung reunion reuniao riunione cuoc_hop 会议 会議 встреча
task: aufgabe aufgaben tarea tareas tache taches tarefa attivita nhiem_vu cong_viec 任务 タスク задача задачу
customer: kunde kunden cliente clientes client clients khach_hang 客户 顧客 клиент
contact: kontakt kontakte contacto contactos contato contatto lien_he 联系人 連絡先 контакт
invoice: rechnung rechnungen factura facturas facture fatura fattura hoa_don 发票 請求書 счет
payment: zahlung bezahlung pago pagos paiement pagamento thanh_toan 付款 支付 支払い платеж оплата
order: bestellung bestellungen pedido pedidos commande commandes ordine don_hang 订单 注文 заказ
weather: wetter tiempo_atmosferico clima meteo tempo_atmosferico thoi_tiet 天气 天気 погода
phone: telefon handy telefono telephone telefone dien_thoai 手机 電話 телефон
notification: benachrichtigung benachrichtigen notificacion notificar notifier notificacao notifica thong_bao 通知 уведомление
memory: gedachtnis memoria memoire bo_nho 记忆 記憶 память
question: frage fragen pregunta preguntas pergunta domanda cau_hoi 问题 質問 вопрос
answer: antworten antwort beantworten responder respuesta repondre reponse resposta rispondere tra_loi 回答 回复 返信 ответить
document: dokument dokumente documento documentos documents tai_lieu 文档 文書 документ
code: programmieren programar codigo coder codigo codice ma_lenh viet_ma 代码 コード код
date: datum fecha data_e_ora ngay_thang 日期 日付 дата дату
format: formatieren formatear formater formatar dinh_dang 格式 格式化
command: befehl befehle comando commande_shell lenh 命令 コマンド команда
server: rechner servidor serveur may_chu 服务器 サーバー сервер
site: webseite sitio sito 网站 サイト сайт
assistant: assistent asistente assistente tro_ly 助手 アシスタント помощник
agent: agente agenten tac_nhan 智能体 代理 エージェント агент
language model: sprachmodell modelo_de_lenguaje modele_de_langage modelo_de_linguagem mo_hinh_ngon_ngu 语言模型 大模型 言語モデル языковая_модель
workflow: arbeitsablauf ablauf flujo flujo_de_trabajo flux fluxo flusso quy_trinh 工作流 流程 ワークフロー процесс
convert: umwandeln konvertieren convertir converter convertire chuyen_doi 转换 変換 преобразовать
extract: extrahieren extraer extraire extrair estrarre trich_xuat 提取 抽出 извлечь
search: suchen suche buscar rechercher chercher procurar cercare tim_kiem tim 搜索 查找 検索 найти поиск
post: beitrag veroffentlichen publicar publier pubblicare dang_bai 发布 投稿 опубликовать
new: neue neuer neues neuen nuevo nueva nouveau nouvelle novo nova nuovo moi_nhat 新 新的 新しい новый новое новая
set: setzen establecer definir definir_un_champ thiet_lap 设置
field: feld felder campo campos champ champs truong 字段 フィールド поле
compare: vergleichen comparar comparer confrontare so_sanh 比较 比較 сравнить
count: zahlen contar compter dem 统计 計算
: der die das dem des ein eine einen einem einer und oder mit auf fur von vom zu zum zur im ist sind nicht ich mir mein meine um acht aus bei nach
: el la los las un una unos unas de del y o con en por para que es son mi su al lo se
: le les des du et ou avec dans sur pour une est ce cette mon ma au aux je sous
: o os as um uma do da dos das e com em no na nos nas meu minha ao
: il lo gli di della nel per sono
: va vao cua cho voi trong luc la mot cac nhung qua toi den_tu o_tren bang_cach
: 把 的 在 了 和 到 我 を に の で は が и в на с по из для
`;

package millrace.connectors.generate;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/// Names that Japanese addresses are put together from, in kanji and in kana, as UTF-8.
final class JapaneseNames {

  /// A name in both scripts.
  record Name(byte[] kanji, byte[] kana) {}

  /// The 47 prefectures in the order of their codes (JIS X 0401), which count from 1.
  static final List<Name> PREFECTURES =
      names(
          "北海道 ホッカイドウ,青森県 アオモリケン,岩手県 イワテケン,宮城県 ミヤギケン,秋田県 アキタケン,"
              + "山形県 ヤマガタケン,福島県 フクシマケン,茨城県 イバラキケン,栃木県 トチギケン,群馬県 グンマケン,"
              + "埼玉県 サイタマケン,千葉県 チバケン,東京都 トウキョウト,神奈川県 カナガワケン,新潟県 ニイガタケン,"
              + "富山県 トヤマケン,石川県 イシカワケン,福井県 フクイケン,山梨県 ヤマナシケン,長野県 ナガノケン,"
              + "岐阜県 ギフケン,静岡県 シズオカケン,愛知県 アイチケン,三重県 ミエケン,滋賀県 シガケン,"
              + "京都府 キョウトフ,大阪府 オオサカフ,兵庫県 ヒョウゴケン,奈良県 ナラケン,和歌山県 ワカヤマケン,"
              + "鳥取県 トットリケン,島根県 シマネケン,岡山県 オカヤマケン,広島県 ヒロシマケン,山口県 ヤマグチケン,"
              + "徳島県 トクシマケン,香川県 カガワケン,愛媛県 エヒメケン,高知県 コウチケン,福岡県 フクオカケン,"
              + "佐賀県 サガケン,長崎県 ナガサキケン,熊本県 クマモトケン,大分県 オオイタケン,宮崎県 ミヤザキケン,"
              + "鹿児島県 カゴシマケン,沖縄県 オキナワケン");

  /// Names of towns and villages, common all over the country.
  static final List<Name> PLACES =
      names(
          "旭 アサヒ,中央 チュウオウ,本郷 ホンゴウ,若葉 ワカバ,緑 ミドリ,青葉 アオバ,泉 イズミ,花園 ハナゾノ,"
              + "高田 タカダ,吉田 ヨシダ,松原 マツバラ,大森 オオモリ,小川 オガワ,川崎 カワサキ,山手 ヤマテ,"
              + "桜木 サクラギ,栄 サカエ,千歳 チトセ,日の出 ヒノデ,富士見 フジミ,水車 スイシャ,弁天 ベンテン,"
              + "宮前 ミヤマエ,梅田 ウメダ,竹の塚 タケノツカ,鶴見 ツルミ,亀井 カメイ,新田 シンデン,古川 フルカワ,"
              + "石橋 イシバシ,白石 シロイシ,黒川 クロカワ,赤坂 アカサカ,南 ミナミ,北 キタ,東 ヒガシ,西 ニシ");

  /// What the name of a municipality ends in.
  static final List<Name> MUNICIPALITIES = names("市 シ,区 ク,町 マチ,村 ムラ,郡 グン");

  /// What the name of a part of a town ends in.
  static final List<Name> QUARTERS = names("町 チョウ,台 ダイ,ケ丘 ガオカ,通 ドオリ,野 ノ,浜 ハマ");

  private JapaneseNames() {}

  private static List<Name> names(String pairs) {
    return Stream.of(pairs.split(",")).map(JapaneseNames::name).toList();
  }

  private static Name name(String pair) {
    int blank = pair.indexOf(' ');
    return new Name(utf8(pair.substring(0, blank)), utf8(pair.substring(blank + 1)));
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

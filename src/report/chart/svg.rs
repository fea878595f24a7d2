//! Draws a chart as SVG.

use super::canvas::{Anchor, Canvas, UNIT, text_width};
use super::labelled::draw_labelled;
use super::labels::Rectangle;
use super::names::{Legend, beside, draw_beside, room_beside};
use super::panels::{Grid, draw_panels};
use super::plot::{Plot, Ticks};
use super::series::{Chart, Height, Width};
use crate::escape::escaped;

/// The style of charts: a class for everything that is drawn. The colours differ for all common kinds of colour blindness (after Okabe
/// and Ito).
pub const STYLE: &str = include_str!("style.css");

/// The size of a chart and of its text, in pixels.
struct Dimensions {
    width: i32,
    plot_height: i32,
    text: i32,
    panels: Grid,
}

impl Width {
    const fn dimensions(self, height: Height) -> Dimensions {
        let (width, text, usual, tall, panels) = match self {
            Self::Wide => (
                660,
                13,
                330,
                640,
                Grid {
                    columns: 3,
                    plot_height: 130 * UNIT,
                },
            ),
            Self::Narrow => (
                360,
                12,
                250,
                640,
                Grid {
                    columns: 2,
                    plot_height: 110 * UNIT,
                },
            ),
        };
        let plot_height = if matches!(height, Height::Tall) {
            tall
        } else {
            usual
        };
        Dimensions {
            width,
            plot_height,
            text,
            panels,
        }
    }

    const fn class(self) -> &'static str {
        match self {
            Self::Wide => "wide",
            Self::Narrow => "narrow",
        }
    }
}

/// The chart as an `svg` element without colours. For a file of its own, `style` is included.
pub fn svg(chart: &Chart, width: Width, style: Option<&str>) -> String {
    let layout = ChartLayout::new(chart, width);
    let mut canvas = Canvas::default();
    let height = layout.draw(&mut canvas);
    let style = style.map(|style| {
        format!("<style>{style}</style><rect width=\"100%\" height=\"100%\" style=\"fill:var(--paper)\"/>")
    });
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart {}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{}{}</svg>\n",
        width.class(),
        layout.width,
        height,
        escaped(&chart.title),
        style.unwrap_or_default(),
        canvas.elements
    )
}

/// The layout, in units of the drawing.
struct ChartLayout<'a> {
    chart: &'a Chart,
    width: i32,
    text: i32,
    /// From the left edge to the plot.
    left: i32,
    plot_height: i32,
    panels: Grid,
    has_titles: bool,
}

impl<'a> ChartLayout<'a> {
    fn new(chart: &'a Chart, width: Width) -> Self {
        let has_titles = matches!(width, Width::Wide);
        let Dimensions {
            width,
            plot_height,
            text,
            panels,
        } = width.dimensions(chart.height);
        let (width, text) = (width * UNIT, text * UNIT);
        let longest = chart
            .y
            .ticks
            .iter()
            .map(|(_, tick)| text_width(tick, text))
            .max()
            .unwrap_or(0);
        Self {
            chart,
            width,
            text,
            left: longest + text,
            plot_height: plot_height * UNIT,
            panels,
            has_titles,
        }
    }

    /// Draws the chart and returns its height.
    fn draw(&self, canvas: &mut Canvas) -> i32 {
        if self.chart.is_crowded() {
            let frame = self.frame(0, self.text);
            let bottom = draw_panels(canvas, &self.panels, &self.plot(frame));
            return self.draw_axis_labels(canvas, Rectangle { bottom, ..frame });
        }
        // Names stand beside the lines if they can, else in a legend.
        let room = room_beside(self.chart, self.width, self.text);
        let with_names = room.map(|room| self.plot(self.frame(0, room)));
        if let Some((plot, heights)) =
            with_names.and_then(|plot| beside(&plot).map(|heights| (plot, heights)))
        {
            draw_beside(canvas, &plot, &heights);
            return self.draw_plot(canvas, &plot, &Legend::none());
        }
        let legend = Legend::new(self.chart, self.width, self.text);
        self.draw_plot(
            canvas,
            &self.plot(self.frame(legend.height, self.text)),
            &legend,
        )
    }

    /// The place of the plot below a legend, with this room to its right.
    fn frame(&self, legend_height: i32, room: i32) -> Rectangle {
        let label = if self.chart.y.label.is_empty() {
            0
        } else {
            self.text * 2
        };
        let top = legend_height + label + self.text * 3 / 4;
        Rectangle {
            left: self.left,
            top,
            right: self.width - room,
            bottom: top + self.plot_height,
        }
    }

    fn plot(&self, frame: Rectangle) -> Plot<'a> {
        Plot {
            chart: self.chart,
            frame,
            text: self.text,
            room: (0, self.width),
            has_titles: self.has_titles,
            is_small: false,
        }
    }

    fn draw_plot(&self, canvas: &mut Canvas, plot: &Plot<'_>, legend: &Legend<'_>) -> i32 {
        plot.draw_axes(canvas, Ticks { x: true, y: true });
        for series in self
            .chart
            .series
            .iter()
            .filter(|series| series.labels.is_empty())
        {
            plot.draw_series(canvas, series);
        }
        draw_labelled(canvas, plot);
        legend.draw(canvas);
        self.draw_axis_labels(canvas, plot.frame)
    }

    /// Draws the labels of the axes around the plot and returns the height of the chart.
    fn draw_axis_labels(
        &self,
        canvas: &mut Canvas,
        Rectangle {
            left,
            top,
            right,
            bottom,
        }: Rectangle,
    ) -> i32 {
        let text = (self.text, "t");
        canvas.text(
            &self.chart.x.label,
            ((left + right) / 2, bottom + self.text * 2),
            Anchor::Below,
            text,
        );
        canvas.text(
            &self.chart.y.label,
            (0, top - self.text * 5 / 2),
            Anchor::BelowFrom,
            text,
        );
        bottom + self.text * 7 / 2
    }
}
